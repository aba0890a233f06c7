package io.jvmtools.benches;

import java.io.IOException;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Fills a Lucene index and searches it: the same work each time, by one thread. */
final class IndexProgram {

  private static final int DOCUMENTS = 40_000;
  private static final int LENGTH = 60;
  private static final int WORDS = 5_000;
  private static final int SEARCHES = 20_000;

  private IndexProgram() {}

  /** Takes the path of the C library, and ends with a line that says what it took. */
  public static void main(String[] args) throws IOException {
    Random random = new Random(1);
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
      config.setMergeScheduler(new SerialMergeScheduler());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int number = 0; number < DOCUMENTS; number++) {
          writer.addDocument(document(number, random));
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        int found = 0;
        for (int search = 0; search < SEARCHES; search++) {
          found += searcher.search(query(random), 10).scoreDocs.length;
        }
        if (found == 0) {
          throw new IllegalStateException("nothing was found");
        }
      }
    }
    StartBench.tell(args[0]);
  }

  private static Document document(int number, Random random) {
    String text =
        IntStream.range(0, LENGTH)
            .mapToObj(ignored -> word(random))
            .collect(Collectors.joining(" "));
    Document document = new Document();
    document.add(new StringField("id", String.valueOf(number), Store.YES));
    document.add(new TextField("text", text, Store.YES));
    return document;
  }

  private static BooleanQuery query(Random random) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("text", word(random))), Occur.SHOULD)
        .add(new TermQuery(new Term("text", word(random))), Occur.SHOULD)
        .build();
  }

  private static String word(Random random) {
    // Some words are more frequent than others.
    return "word" + random.nextInt(1 + random.nextInt(WORDS));
  }
}

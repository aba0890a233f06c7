package io.jvmtools.neighbour;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * A search index that two threads write, Lucene's own merge, and four search. At each moment it
 * holds the latest documents; every search is compared with what going through them all finds.
 */
final class IndexWorkload implements Workload {

  private static final int DOCUMENTS = 10_000;
  private static final int BATCH = 200;
  private static final int WRITERS = 2;
  private static final int SEARCHERS = 4;
  private static final int SEARCHES = 20;
  private static final int BATCHES_A_COMMIT = 20;
  private static final long BETWEEN_BATCHES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long BETWEEN_SEARCHES_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Results results;
  private final Directory directory;
  private final IndexWriter writer;
  private final List<Thread> threads = new ArrayList<>();
  private volatile Generation generation;
  private volatile boolean stopping;

  /**
   * What the index held at one moment.
   *
   * @param reader the index as it was then
   * @param documents the documents that were in it
   */
  private record Generation(DirectoryReader reader, Documents documents) {}

  IndexWorkload(Results results, Path path) throws IOException {
    this.results = results;
    directory = new MMapDirectory(path);
    writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()));
    generation = new Generation(DirectoryReader.open(writer), new Documents(0, 0));
  }

  @Override
  public void start() throws Exception {
    while (generation.documents().size() < DOCUMENTS) {
      writeBatch();
    }
    threads.add(new Thread(this::write, "index"));
    for (int i = 0; i < SEARCHERS; i++) {
      threads.add(new Thread(this::search, "search " + i));
    }
    threads.forEach(Thread::start);
  }

  @Override
  public void stop() throws Exception {
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Documents last = generation.documents();
    generation.reader().close();
    writer.close();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      results.check(
          reader.numDocs() == last.size(), reader.numDocs() + " documents instead of " + last);
      for (int number = last.first(); number < last.end(); number++) {
        checkOne(new IndexSearcher(reader), last, number);
      }
    }
    directory.close();
  }

  private void write() {
    try {
      for (int batch = 1; !stopping; batch++) {
        writeBatch();
        if (batch % BATCHES_A_COMMIT == 0) {
          writer.commit();
        }
        LockSupport.parkNanos(BETWEEN_BATCHES_NANOS);
      }
    } catch (Exception e) {
      results.wrong("writing", e);
    }
  }

  /** Adds documents, takes as many old ones away, and shows the index as it is then. */
  private void writeBatch() throws IOException, InterruptedException {
    Documents before = generation.documents();
    int end = before.end() + BATCH;
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int from = before.end() + i * BATCH / WRITERS;
      int to = before.end() + (i + 1) * BATCH / WRITERS;
      Thread thread = new Thread(() -> add(from, to), "index writer " + i);
      thread.start();
      writers.add(thread);
    }
    for (Thread thread : writers) {
      thread.join();
    }
    Documents after = new Documents(Math.max(0, end - DOCUMENTS), end);
    for (int number = before.first(); number < after.first(); number++) {
      writer.deleteDocuments(Documents.id(number));
    }
    DirectoryReader old = generation.reader();
    generation = new Generation(DirectoryReader.openIfChanged(old, writer), after);
    old.decRef();
  }

  private void add(int from, int to) {
    try {
      for (int number = from; number < to; number++) {
        writer.addDocument(Documents.document(number));
      }
    } catch (IOException | RuntimeException e) {
      results.wrong("adding documents", e);
    }
  }

  private void search() {
    while (!stopping) {
      Generation current = generation;
      if (current.reader().tryIncRef()) {
        try {
          search(new IndexSearcher(current.reader()), current.documents());
        } catch (IOException | RuntimeException e) {
          results.wrong("searching", e);
        } finally {
          release(current.reader());
        }
      }
      LockSupport.parkNanos(BETWEEN_SEARCHES_NANOS);
    }
  }

  private void search(IndexSearcher searcher, Documents documents) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < SEARCHES; i++) {
      checkOne(searcher, documents, random.nextInt(documents.first(), documents.end()));
    }
    checkNone(searcher, documents.end() + random.nextInt(BATCH));
    checkCount(
        searcher, documents, random.nextInt(Documents.WORDS), random.nextInt(Documents.WORDS));
  }

  /** A document is found by its number, as it was added. */
  private void checkOne(IndexSearcher searcher, Documents documents, int number)
      throws IOException {
    long asked = System.nanoTime();
    TopDocs found = searcher.search(new TermQuery(Documents.id(number)), 2);
    if (found.scoreDocs.length != 1) {
      results.wrong("found document " + number + " of " + documents + ": " + found.totalHits);
      return;
    }
    String text =
        searcher.storedFields().document(found.scoreDocs[0].doc).get(Documents.TEXT_FIELD);
    results.check(text.equals(Documents.text(number)), "document " + number + " says " + text);
    results.right(System.nanoTime() - asked);
  }

  private void checkNone(IndexSearcher searcher, int number) throws IOException {
    int found = searcher.count(new TermQuery(Documents.id(number)));
    results.check(found == 0, "found document " + number + ", which is not there yet");
  }

  /** As many documents have both words as one finds by looking at each. */
  private void checkCount(IndexSearcher searcher, Documents documents, int word, int other)
      throws IOException {
    BooleanQuery both =
        new BooleanQuery.Builder()
            .add(new TermQuery(Documents.word(word)), Occur.MUST)
            .add(new TermQuery(Documents.word(other)), Occur.MUST)
            .build();
    long asked = System.nanoTime();
    int found = searcher.count(both);
    long nanos = System.nanoTime() - asked;
    long expected = documents.count(word, other);
    if (found == expected) {
      results.right(nanos);
    } else {
      results.wrong(found + " of " + documents + " have " + both + ", not " + expected);
    }
  }

  private void release(DirectoryReader reader) {
    try {
      reader.decRef();
    } catch (IOException e) {
      results.wrong("closing a reader", e);
    }
  }
}

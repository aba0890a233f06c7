package io.jvmtools.neighbour;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Term;

/**
 * Documents of consecutive numbers. What one says is a function of its number.
 *
 * @param first the number of the first
 * @param end the number after that of the last
 */
record Documents(int first, int end) {

  /** How many words there are in the language of the documents. */
  static final int WORDS = 200;

  static final String TEXT_FIELD = "text";

  private static final String ID_FIELD = "id";
  private static final int LENGTH = 30;

  int size() {
    return end - first;
  }

  /** How many have both words. */
  long count(int word, int other) {
    return IntStream.range(first, end)
        .filter(number -> hasWord(number, word) && hasWord(number, other))
        .count();
  }

  static Document document(int number) {
    Document document = new Document();
    document.add(new StringField(ID_FIELD, String.valueOf(number), Store.NO));
    document.add(new TextField(TEXT_FIELD, text(number), Store.YES));
    return document;
  }

  static String text(int number) {
    return words(number).mapToObj(Documents::spelled).collect(Collectors.joining(" "));
  }

  /** What finds a document. */
  static Term id(int number) {
    return new Term(ID_FIELD, String.valueOf(number));
  }

  /** What finds the documents with a word. */
  static Term word(int word) {
    return new Term(TEXT_FIELD, spelled(word));
  }

  private static boolean hasWord(int number, int word) {
    return words(number).anyMatch(each -> each == word);
  }

  private static IntStream words(int number) {
    return new Random(number).ints(LENGTH, 0, WORDS);
  }

  private static String spelled(int word) {
    return "word" + word;
  }
}

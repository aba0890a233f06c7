package io.jvmtools.lifecycle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The H2 database with accounts that money is moved between. It knows what must be right: the sum
 * of all of them whenever one looks, and in the end each of them by the book of the transfers.
 */
final class BusyDatabase implements AutoCloseable {

  private static final String URL = "jdbc:h2:mem:busy;LOCK_TIMEOUT=600000";
  private static final int ACCOUNTS = 2_000;
  private static final long BALANCE = 1_000;

  private final Connection bank = DriverManager.getConnection(URL);
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong transfers = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();
  private volatile boolean closing;

  BusyDatabase() throws SQLException {
    try (Statement statement = bank.createStatement()) {
      statement.execute("CREATE TABLE account(id BIGINT PRIMARY KEY, balance BIGINT)");
      statement.execute("CREATE TABLE book(giver BIGINT, taker BIGINT, amount BIGINT)");
      statement.execute(
          "INSERT INTO account SELECT x, %d FROM SYSTEM_RANGE(1, %d)".formatted(BALANCE, ACCOUNTS));
    }
    start("giver-1", this::move);
    start("giver-2", this::move);
    start("reader-1", this::look);
    start("reader-2", this::addUp);
  }

  /** Those who are busy. */
  List<Thread> threads() {
    return threads;
  }

  long transfers() {
    return transfers.get();
  }

  long looks() {
    return looks.get();
  }

  private interface Work {
    void once(Connection session) throws SQLException;
  }

  private void start(String name, Work work) {
    Runnable task =
        () -> {
          try (Connection session = DriverManager.getConnection(URL)) {
            session.setAutoCommit(false);
            while (!closing) {
              work.once(session);
            }
          } catch (Throwable failure) {
            wrong.compareAndSet(null, failure);
          }
        };
    Thread thread = new Thread(task, name);
    threads.add(thread);
    thread.start();
  }

  /** The lower number first, so that no two wait for each other. */
  private void move(Connection session) throws SQLException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long giver = random.nextLong(1, ACCOUNTS);
    long taker = random.nextLong(giver + 1, ACCOUNTS + 1);
    long amount = random.nextLong(-50, 50);
    update(session, "UPDATE account SET balance = balance - ? WHERE id = ?", amount, giver);
    update(session, "UPDATE account SET balance = balance + ? WHERE id = ?", amount, taker);
    update(session, "INSERT INTO book VALUES (?, ?, ?)", giver, taker, amount);
    session.commit();
    transfers.incrementAndGet();
  }

  private static void update(Connection session, String sql, long... values) throws SQLException {
    try (PreparedStatement statement = session.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setLong(i + 1, values[i]);
      }
      check(sql, statement.executeUpdate(), 1);
    }
  }

  private void look(Connection session) throws SQLException {
    long id = ThreadLocalRandom.current().nextLong(1, ACCOUNTS + 1);
    String sql = "SELECT id FROM account WHERE id = " + id;
    check(sql, number(session, sql), id);
    looks.incrementAndGet();
  }

  private void addUp(Connection session) throws SQLException {
    String sql = "SELECT SUM(balance) FROM account";
    check(sql, number(session, sql), ACCOUNTS * BALANCE);
    looks.incrementAndGet();
  }

  private static long number(Connection session, String sql) throws SQLException {
    try (Statement statement = session.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void check(String what, long is, long should) {
    if (is != should) {
      throw new AssertionError(what + ": " + is + ", not " + should);
    }
  }

  /** Lets everybody finish; fails if anything was wrong. */
  @Override
  public void close() throws SQLException {
    closing = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (wrong.get() != null) {
      throw new AssertionError("the database", wrong.get());
    }
    check("the book", number(bank, "SELECT COUNT(*) FROM book"), transfers.get());
    String byTheBook =
        "SELECT COUNT(*) FROM account WHERE balance = %d".formatted(BALANCE)
            + " - (SELECT COALESCE(SUM(amount), 0) FROM book WHERE giver = account.id)"
            + " + (SELECT COALESCE(SUM(amount), 0) FROM book WHERE taker = account.id)";
    try (Statement statement = bank.createStatement()) {
      statement.execute("CREATE INDEX by_giver ON book(giver)");
      statement.execute("CREATE INDEX by_taker ON book(taker)");
    }
    check("accounts by the book", number(bank, byTheBook), ACCOUNTS);
    bank.close();
  }
}

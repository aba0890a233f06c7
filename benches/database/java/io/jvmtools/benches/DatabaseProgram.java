package io.jvmtools.benches;

import io.jvmtools.event.EventTypes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Money that four threads move between a few accounts of an H2 database, with a book of all
 * transfers, and looks at both of them joined: the same work each time, whose results are checked.
 */
final class DatabaseProgram {

  /** What a run listens to. */
  enum Ears {
    NOTHING,
    ALL_BUT_VM_OBJECT_ALLOC,
    ALL
  }

  private static final String URL = "jdbc:h2:mem:bench;LOCK_TIMEOUT=600000";
  private static final int TELLERS = 4;
  private static final int ACCOUNTS = 400;
  private static final long BALANCE = 1_000;
  private static final int WARM_UP = 1_000;
  private static final int TRANSFERS = 6_000;
  private static final int LOOK_EVERY = 100;

  private final Connection bank = DriverManager.getConnection(URL);
  private int started;

  private DatabaseProgram() throws SQLException {
    try (Statement statement = bank.createStatement()) {
      statement.execute("CREATE TABLE account(id BIGINT PRIMARY KEY, balance BIGINT)");
      statement.execute("CREATE TABLE book(giver BIGINT, taker BIGINT, amount BIGINT)");
      statement.execute("CREATE INDEX by_giver ON book(giver)");
      statement.execute("CREATE INDEX by_taker ON book(taker)");
      statement.execute(
          "INSERT INTO account SELECT x, %d FROM SYSTEM_RANGE(1, %d)".formatted(BALANCE, ACCOUNTS));
    }
  }

  /**
   * Takes the path of the C library, and what to listen to. Its last line is how many transfers
   * there were, and in how many nanoseconds of CPU time and of elapsed time.
   */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    try (Listening listening = listen(Ears.valueOf(args[1]))) {
      DatabaseProgram program = new DatabaseProgram();
      program.work(WARM_UP);
      long cpu = ClockC.processCpuNanos();
      long elapsed = System.nanoTime();
      program.work(TRANSFERS);
      elapsed = System.nanoTime() - elapsed;
      cpu = ClockC.processCpuNanos() - cpu;
      program.check();
      if (listening != null) {
        System.out.println(listening.told(program.started));
      }
      System.out.println(TELLERS * TRANSFERS + " " + cpu + " " + elapsed);
    }
  }

  private static Listening listen(Ears ears) throws IllegalAccessException {
    return switch (ears) {
      case NOTHING -> null;
      case ALL_BUT_VM_OBJECT_ALLOC -> new Listening(Set.of(EventTypes.VM_OBJECT_ALLOC));
      case ALL -> new Listening(Set.of());
    };
  }

  private void work(int transfers) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < TELLERS; number++) {
      Random random = new Random(number);
      Thread thread =
          new Thread(
              () -> {
                try {
                  serve(transfers, random);
                } catch (Throwable thrown) {
                  failure.compareAndSet(null, thrown);
                }
              });
      threads.add(thread);
      thread.start();
      started++;
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("the database", failure.get());
    }
  }

  private static void serve(int transfers, Random random) throws SQLException {
    try (Connection session = DriverManager.getConnection(URL)) {
      session.setAutoCommit(false);
      for (int i = 0; i < transfers; i++) {
        move(session, random);
        if (i % LOOK_EVERY == 0) {
          demand(session, "SELECT SUM(balance) FROM account", ACCOUNTS * BALANCE);
        }
      }
    }
  }

  /** The lower number first, so that no two wait for each other. */
  private static void move(Connection session, Random random) throws SQLException {
    long giver = 1 + random.nextInt(ACCOUNTS - 1);
    long taker = giver + 1 + random.nextInt((int) (ACCOUNTS - giver));
    long amount = random.nextInt(100) - 50;
    update(session, "UPDATE account SET balance = balance - ? WHERE id = ?", amount, giver);
    update(session, "UPDATE account SET balance = balance + ? WHERE id = ?", amount, taker);
    update(session, "INSERT INTO book VALUES (?, ?, ?)", giver, taker, amount);
    session.commit();
    String joined =
        "SELECT COUNT(*) FROM account JOIN book ON book.giver = account.id AND account.id = ";
    if (number(session, joined + giver) == 0) {
      throw new IllegalStateException("the book lacks what was written");
    }
    session.commit();
  }

  private static void update(Connection session, String sql, long... values) throws SQLException {
    try (PreparedStatement statement = session.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setLong(i + 1, values[i]);
      }
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException(sql);
      }
    }
  }

  private void check() throws SQLException {
    demand(bank, "SELECT COUNT(*) FROM book", (long) TELLERS * (WARM_UP + TRANSFERS));
    String byTheBook =
        "SELECT COUNT(*) FROM account WHERE balance = %d".formatted(BALANCE)
            + " - (SELECT COALESCE(SUM(amount), 0) FROM book WHERE giver = account.id)"
            + " + (SELECT COALESCE(SUM(amount), 0) FROM book WHERE taker = account.id)";
    demand(bank, byTheBook, ACCOUNTS);
  }

  private static void demand(Connection session, String query, long expected) throws SQLException {
    long answer = number(session, query);
    if (answer != expected) {
      throw new IllegalStateException(query + ": " + answer + ", not " + expected);
    }
  }

  private static long number(Connection session, String query) throws SQLException {
    try (Statement statement = session.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}

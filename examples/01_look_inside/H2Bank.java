package io.jvmtools.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.h2.engine.Constants;
import org.h2.engine.SessionLocal;
import org.h2.index.Cursor;
import org.h2.jdbc.JdbcConnection;
import org.h2.table.Table;

/** The databases of the bank and of its head office, in memory, and the statements they get. */
final class H2Bank implements AutoCloseable {

  static final String NAME = "H2 " + Constants.VERSION;
  static final int ROWS = 200_000;
  static final int BATCH = 10_000;

  static final String WITHDRAW = "UPDATE account SET balance = balance - 1 WHERE id = 1";
  static final String CORRECT = "UPDATE ledger SET balance = balance + 1 WHERE id = 1";
  static final String AUDIT = "SELECT SUM(balance) FROM ledger";
  static final String REPORT = "SELECT branch, SUM(balance) FROM account GROUP BY branch";
  static final String PLAN = "EXPLAIN SELECT owner FROM account";
  static final String TYPO = "SELECT owner FROM acount";
  static final String LOOK_UP = "SELECT owner, balance FROM account WHERE id = ";

  /** Without the second setting a report that was made before would not be made again. */
  private static final String BANK =
      "jdbc:h2:mem:bank;LOCK_TIMEOUT=600000;OPTIMIZE_REUSE_RESULTS=FALSE";

  private static final String HEAD_OFFICE = "jdbc:h2:mem:head_office;LOCK_TIMEOUT=600000";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Connection bank = open();
  private final Connection headOffice = DriverManager.getConnection(HEAD_OFFICE, "sa", "");

  /** Creates the tables, and the link through which the bank sees its head office. */
  H2Bank() throws SQLException {
    run(headOffice, "CREATE TABLE ledger(id INT PRIMARY KEY, balance DECIMAL(12, 2))");
    run(headOffice, "INSERT INTO ledger VALUES (1, 1000), (2, 2000)");
    headOffice.setAutoCommit(false);
    String columns = "id INT PRIMARY KEY, owner VARCHAR, branch INT, balance DECIMAL(12, 2)";
    run(bank, "CREATE TABLE account(" + columns + ")");
    run(
        bank,
        "CREATE LINKED TABLE ledger(NULL, '"
            + HEAD_OFFICE
            + "', 'sa', '', 'LEDGER') AUTOCOMMIT OFF");
  }

  /** Opens a session in the bank. */
  static Connection open() throws SQLException {
    return DriverManager.getConnection(BANK, "sa", "");
  }

  static void run(Connection session, String sql) throws SQLException {
    try (Statement statement = session.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of the first row. */
  static int number(Connection session, String query) throws SQLException {
    return Integer.parseInt(text(session, query));
  }

  /** The first column of the first row. */
  static String text(Connection session, String query) throws SQLException {
    try (Statement statement = session.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  static void insertBatch(Connection session, int first) throws SQLException {
    String columns = "x, 'customer ' || x, MOD(x, 40), MOD(x * 7919, 100000)";
    String range = "SYSTEM_RANGE(" + first + ", " + (first + BATCH - 1) + ")";
    run(session, "INSERT INTO account SELECT " + columns + " FROM " + range);
  }

  void lockLedger() throws SQLException {
    run(headOffice, CORRECT);
  }

  void unlockLedger() throws SQLException {
    headOffice.rollback();
  }

  /**
   * Waits until that many sessions are blocked. H2 2.4.240 fails to tell of them if one ends its
   * transaction meanwhile ({@code SessionLocal.getBlockingSessionId}), as each does while it is
   * opened: so none does, and none is.
   */
  void awaitBlockedInBank(int count) throws SQLException {
    awaitBlocked(bank, count);
  }

  void awaitBlockedInHeadOffice(int count) throws SQLException {
    awaitBlocked(headOffice, count);
  }

  private static void awaitBlocked(Connection database, int count) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String query = "SELECT COUNT(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL";
    while (number(database, query) < count) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("fewer than " + count + " sessions are blocked");
      }
    }
  }

  /** Pairs of sessions, the one that waits and the one that it waits for, as H2 tells it. */
  List<int[]> blockedAndBlocker() throws SQLException {
    List<int[]> pairs = new ArrayList<>();
    String query =
        "SELECT session_id, blocker_id FROM information_schema.sessions"
            + " WHERE blocker_id IS NOT NULL ORDER BY session_id";
    try (Statement statement = bank.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        pairs.add(new int[] {rows.getInt(1), rows.getInt(2)});
      }
    }
    return pairs;
  }

  /** The objects in which H2 keeps the first rows of the table: its own, no copies. */
  List<Object> rowObjects(int count) throws SQLException {
    SessionLocal session = (SessionLocal) bank.unwrap(JdbcConnection.class).getSession();
    Table table = session.getDatabase().getMainSchema().getTableOrView(session, "ACCOUNT");
    Cursor cursor = table.getScanIndex(session).find(session, null, null, false);
    List<Object> rows = new ArrayList<>();
    while (rows.size() < count && cursor.next()) {
      rows.add(cursor.get());
    }
    return rows;
  }

  @Override
  public void close() throws SQLException {
    bank.close();
    headOffice.close();
  }
}

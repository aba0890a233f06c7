package io.jvmtools.examples;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * A bank on the H2 database, busy and in trouble. Plain JDBC: nothing here knows JvmTools.
 *
 * <ul>
 *   <li>{@code teller-1} changed an account and never commits; {@code teller-2} to {@code teller-4}
 *       wait for that row.
 *   <li>{@code auditor-1} reaches through a linked table for a row that the head office has locked,
 *       and keeps the link; {@code auditor-2} and {@code auditor-3} are blocked on the link.
 *   <li>{@code report-1} to {@code report-3}, a pool, have loaded the rows and now add up all the
 *       balances, again and again.
 *   <li>{@code lookup-1} to {@code lookup-6}, virtual where the JDK has such threads, looked up one
 *       account each and wait for the next customer.
 * </ul>
 */
final class H2Workload implements AutoCloseable {

  private static final int REPORTERS = 3;
  private static final int PATIENCE_SECONDS = 60;

  private static final String ROW_LOCK = "org.h2.mvstore.tx.Transaction.waitForThisToEnd";
  private static final String LINK = "org.h2.table.TableLink.execute";
  private static final String NEXT_CUSTOMER = "java.util.concurrent.CountDownLatch.await";

  private final H2Bank bank = new H2Bank();
  private final Map<Thread, String> stuck = new LinkedHashMap<>();
  private final Map<Integer, String> nameBySession = new ConcurrentHashMap<>();
  private final CountDownLatch reporting = new CountDownLatch(REPORTERS);
  private final CountDownLatch withdrawn = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final List<Thread> reporters = new CopyOnWriteArrayList<>();
  private final ExecutorService pool = Executors.newFixedThreadPool(REPORTERS, this::reporter);

  private H2Workload() throws SQLException {}

  private Thread reporter(Runnable task) {
    Thread thread = new Thread(task, "report-" + (reporters.size() + 1));
    reporters.add(thread);
    return thread;
  }

  /** Loads the rows, telling how many are there, and starts everybody. */
  static H2Workload start(IntConsumer progress) throws Exception {
    H2Workload workload = new H2Workload();
    try {
      workload.load(progress);
      workload.startThreads();
      return workload;
    } catch (Throwable e) {
      workload.close();
      throw e;
    }
  }

  private void load(IntConsumer progress) throws Exception {
    List<Future<?>> batches = new ArrayList<>();
    for (int first = 1; first < H2Bank.ROWS; first += H2Bank.BATCH) {
      int start = first;
      batches.add(pool.submit(inSession(session -> H2Bank.insertBatch(session, start))));
    }
    int loaded = 0;
    for (Future<?> batch : batches) {
      batch.get();
      loaded += H2Bank.BATCH;
      progress.accept(loaded);
    }
  }

  private void startThreads() throws Exception {
    for (int i = 1; i <= REPORTERS; i++) {
      pool.execute(inSession(this::report));
    }
    await(reporting, "no reports");
    startStuck("teller-1", false, NEXT_CUSTOMER, this::withdrawAndForgetToCommit);
    await(withdrawn, "teller-1 does not get the row");
    for (int i = 2; i <= 4; i++) {
      startStuck("teller-" + i, false, ROW_LOCK, session -> H2Bank.run(session, H2Bank.WITHDRAW));
    }
    bank.lockLedger();
    startStuck("auditor-1", false, ROW_LOCK, session -> H2Bank.run(session, H2Bank.CORRECT));
    bank.awaitBlockedInBank(3);
    bank.awaitBlockedInHeadOffice(1);
    for (int i = 2; i <= 3; i++) {
      startStuck("auditor-" + i, false, LINK, session -> H2Bank.run(session, H2Bank.AUDIT));
    }
    for (int i = 1; i <= 6; i++) {
      int id = 1_000 * i;
      startStuck("lookup-" + i, true, NEXT_CUSTOMER, session -> lookUp(session, id));
    }
  }

  private static void await(CountDownLatch done, String otherwise) throws InterruptedException {
    if (!done.await(PATIENCE_SECONDS, SECONDS)) {
      throw new IllegalStateException(otherwise);
    }
  }

  private void withdrawAndForgetToCommit(Connection session) throws Exception {
    H2Bank.run(session, H2Bank.WITHDRAW);
    withdrawn.countDown();
    closing.await();
    session.rollback();
  }

  private void lookUp(Connection session, int id) throws Exception {
    H2Bank.run(session, H2Bank.LOOK_UP + id);
    closing.await();
  }

  private void report(Connection session) throws SQLException {
    session.setAutoCommit(false);
    H2Bank.run(session, H2Bank.REPORT);
    reporting.countDown();
    while (closing.getCount() > 0) {
      H2Bank.run(session, H2Bank.REPORT);
    }
  }

  /** The method that each thread gets stuck in, but for the pool, which never rests. */
  Map<Thread, String> stuck() {
    return stuck;
  }

  /** Who waits for whom in the bank, as the database itself tells it. */
  Map<String, String> blockers() throws SQLException {
    Map<String, String> blockers = new LinkedHashMap<>();
    for (int[] pair : bank.blockedAndBlocker()) {
      blockers.put(nameBySession.get(pair[0]), nameBySession.get(pair[1]));
    }
    return blockers;
  }

  /** The objects in which H2 keeps the first rows of the table: its own, no copies. */
  List<Object> rowObjects(int count) throws SQLException {
    return bank.rowObjects(count);
  }

  /** How the database means to read all accounts, in a session that has not asked that before. */
  String plan() throws SQLException {
    try (Connection session = H2Bank.open()) {
      return H2Bank.text(session, H2Bank.PLAN);
    }
  }

  /** What the database says of a statement with a typing error. */
  String failure() {
    try (Connection session = H2Bank.open()) {
      return "no failure: " + H2Bank.text(session, H2Bank.TYPO);
    } catch (SQLException e) {
      return e.getMessage();
    }
  }

  /** The pool that makes the reports. */
  List<Thread> reporters() {
    return reporters;
  }

  /** Lets everybody finish, and waits for them. */
  @Override
  public void close() throws SQLException {
    closing.countDown();
    bank.unlockLedger();
    pool.shutdown();
    try {
      for (Thread thread : stuck.keySet()) {
        thread.join(SECONDS.toMillis(PATIENCE_SECONDS));
      }
      pool.awaitTermination(PATIENCE_SECONDS, SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    bank.close();
  }

  private interface Work {
    void on(Connection session) throws Exception;
  }

  /** Runs work in a session of its own. */
  private static Runnable inSession(Work work) {
    return () -> {
      try {
        doIn(H2Bank.open(), work);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static void doIn(Connection session, Work work) {
    try (session) {
      work.on(session);
    } catch (Exception e) {
      throw new IllegalStateException(Thread.currentThread().getName(), e);
    }
  }

  /** The session is opened before: see {@link H2Bank#awaitBlockedInBank}. */
  private void startStuck(String name, boolean virtual, String method, Work work) throws Exception {
    Connection session = H2Bank.open();
    session.setAutoCommit(false);
    nameBySession.put(H2Bank.number(session, "CALL SESSION_ID()"), name);
    Runnable task = () -> doIn(session, work);
    Thread thread = virtual ? virtualThread(task) : new Thread(task);
    thread.setName(name);
    thread.setDaemon(true);
    stuck.put(thread, method);
    thread.start();
  }

  /** A virtual thread on JDK 21 and later, else a platform thread. */
  private static Thread virtualThread(Runnable task) throws ReflectiveOperationException {
    Method ofVirtual;
    try {
      ofVirtual = Thread.class.getMethod("ofVirtual");
    } catch (NoSuchMethodException beforeJdk21) {
      return new Thread(task);
    }
    Method unstarted =
        Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
    return (Thread) unstarted.invoke(ofVirtual.invoke(null), task);
  }
}

package io.jvmtools.neighbour;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A web server and its clients. Each request makes two transfers between accounts, each on a thread
 * of its own, so that a client costs four threads. Every answer is compared with what it must be,
 * every request is counted on both sides, and in the end the accounts with the sum of all
 * transfers.
 */
final class ServerWorkload implements Workload {

  private static final int CLIENTS = ManyThreads.COUNT / 4;
  private static final int MOST_PLATFORM_THREADS = ManyThreads.VIRTUAL ? 64 : CLIENTS + 64;
  private static final long IDLE_MILLIS = TimeUnit.MINUTES.toMillis(5);

  private final Results results;
  private final ManyThreads clients = new ManyThreads();
  private final ManyThreads threads = new ManyThreads();
  private final Accounts accounts = new Accounts();
  private final AtomicIntegerArray handled = new AtomicIntegerArray(CLIENTS);
  private final AtomicLong answers = new AtomicLong();
  private final Server server;
  private final ServerConnector connector;
  private volatile boolean stopping;

  ServerWorkload(Results results) {
    this.results = results;
    QueuedThreadPool pool = new QueuedThreadPool(MOST_PLATFORM_THREADS);
    if (ManyThreads.VIRTUAL) {
      pool.setVirtualThreadsExecutor(threads.executor());
    }
    server = new Server(pool);
    connector = new ServerConnector(server, 1, 2);
    connector.setHost("127.0.0.1");
    connector.setAcceptQueueSize(CLIENTS);
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.setHandler(new Transfers());
  }

  @Override
  public void start() throws Exception {
    server.start();
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      clients.executor().execute(() -> ask(client));
    }
  }

  @Override
  public void stop() throws Exception {
    stopping = true;
    clients.executor().shutdown();
    results.check(
        clients.executor().awaitTermination(3, TimeUnit.MINUTES), "clients are still waiting");
    server.stop();
    threads.executor().shutdown();
    long all = 0;
    for (int client = 0; client < CLIENTS; client++) {
      int count = handled.get(client);
      all += count;
      for (int number = 1; number <= count; number++) {
        accounts.takeBack(client, number);
      }
    }
    results.check(
        all == answers.get(), all + " requests were handled, " + answers + " answers came");
    results.check(accounts.areEmpty(), "the accounts are not what all transfers come to");
  }

  @Override
  public List<Thread> virtualThreads() {
    List<Thread> some = threads.remembered();
    some.addAll(clients.remembered());
    return some;
  }

  private void ask(int client) {
    clients.remember();
    try (HttpClientConnection connection = new HttpClientConnection(connector.getLocalPort())) {
      for (int number = 1; !stopping; number++) {
        long asked = System.nanoTime();
        String answer = connection.get("/" + client + "/" + number);
        answers.incrementAndGet();
        String expected = answer(client, number);
        if (answer.equals(expected)) {
          results.right(System.nanoTime() - asked);
        } else {
          results.wrong("\"" + answer + "\" instead of \"" + expected + "\"");
        }
      }
    } catch (IOException | RuntimeException e) {
      results.wrong("client " + client, e);
    }
  }

  private static String answer(int client, int number) {
    return client
        + "/"
        + number
        + "="
        + (Accounts.amount(client, number, 0) + Accounts.amount(client, number, 1));
  }

  /** Handles {@code GET /client/number}. */
  private final class Transfers extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      threads.remember();
      results.check(ManyThreads.isRightKind(), "a request on " + Thread.currentThread());
      String[] path = Request.getPathInContext(request).split("/");
      int client = Integer.parseInt(path[1]);
      int number = Integer.parseInt(path[2]);
      int before = handled.getAndIncrement(client);
      results.check(before == number - 1, "request " + number + " came after " + before);
      Future<Long> first = threads.executor().submit(() -> transfer(client, number, 0));
      Future<Long> second = threads.executor().submit(() -> transfer(client, number, 1));
      byte[] body = body(client, number, first, second);
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
      response.write(true, ByteBuffer.wrap(body), callback);
      return true;
    }

    private byte[] body(int client, int number, Future<Long> first, Future<Long> second)
        throws InterruptedException, ExecutionException {
      String text = client + "/" + number + "=" + (first.get() + second.get());
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    private long transfer(int client, int number, int which) throws InterruptedException {
      threads.remember();
      // What a server does most of its time: it waits for others.
      Thread.sleep(Accounts.thinkingMillis(client, number, which));
      return accounts.transfer(client, number, which);
    }
  }
}

package io.jvmtools.tomcat;

import io.jvmtools.support.Child;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Images;
import io.jvmtools.support.Installation;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * A Tomcat in which two applications are deployed a hundred times, in turn, each with the library
 * in its WEB-INF/lib; each is asked once.
 *
 * <p>Arguments: a folder, the servlet, what it answers.
 */
final class Redeploys {

  private static final int REDEPLOYS = 100;

  /** Kept, or else the logger may be collected with its level. */
  private static final Logger OF_TOMCAT = Logger.getLogger("org.apache");

  private final Tomcat tomcat = new Tomcat();
  private final Context[] running = new Context[2];
  private final WeakReference<?>[] loaders = new WeakReference<?>[REDEPLOYS];
  private final Path home;
  private final String servlet;
  private final String answer;

  private Redeploys(Path home, String servlet, String answer) {
    this.home = home;
    this.servlet = servlet;
    this.answer = answer;
  }

  public static void main(String[] args) throws Exception {
    OF_TOMCAT.setLevel(Level.WARNING);
    new Redeploys(Path.of(args[0]), args[1], args[2]).run();
  }

  private void run() throws Exception {
    tomcat.setBaseDir(home.resolve("tomcat").toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
    tomcat.getHost();
    tomcat.start();
    try {
      redeploy(0, REDEPLOYS / 2);
      long half = residentKb();
      redeploy(REDEPLOYS / 2, REDEPLOYS);
      Child.say("grown in the second half, KB: " + (residentKb() - half));
      Child.say("images: " + Images.mapped().size());
      Child.say("watchdogs: " + watchdogs());
      for (int i = 0; i < running.length; i++) {
        undeploy(i);
      }
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
    GcUntil.cleared(loaders);
  }

  private void redeploy(int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      undeploy(i % running.length);
      loaders[i] = deploy(i % running.length);
      System.gc();
    }
  }

  private void undeploy(int index) {
    if (running[index] != null) {
      tomcat.getHost().removeChild(running[index]);
      running[index] = null;
    }
  }

  private WeakReference<?> deploy(int index) throws Exception {
    String path = "/application" + index;
    Context context = tomcat.addContext(path, application(path).toString());
    Tomcat.addServlet(context, "servlet", servlet).setLoadOnStartup(1);
    context.addServletMapping("/", "servlet");
    running[index] = context;
    URI uri =
        new URI("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path + "/anything");
    try (InputStream in = uri.toURL().openStream()) {
      String said = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (!said.equals(answer)) {
        throw new AssertionError(path + " says " + said);
      }
    }
    return new WeakReference<>(context.getLoader().getClassLoader());
  }

  /** The folder of an application, as it would be unpacked. */
  private Path application(String path) throws IOException {
    Path folder = home.resolve(path.substring(1));
    Path jar = folder.resolve("WEB-INF/lib").resolve(Installation.jar().getFileName());
    if (Files.notExists(jar)) {
      Files.createDirectories(jar.getParent());
      Files.copy(Installation.jar(), jar);
      String file = servlet.replace('.', '/') + ".class";
      Path servletFile = folder.resolve("WEB-INF/classes").resolve(file);
      Files.createDirectories(servletFile.getParent());
      try (InputStream in = Redeploys.class.getResourceAsStream("/" + file)) {
        Files.copy(in, servletFile);
      }
    }
    return folder;
  }

  private static long watchdogs() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("jvmtools-watchdog"))
        .count();
  }

  private static long residentKb() throws IOException {
    GcUntil.settled();
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no VmRSS");
  }
}

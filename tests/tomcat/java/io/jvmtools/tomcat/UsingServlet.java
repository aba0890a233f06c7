package io.jvmtools.tomcat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What the applications answer with: all they know of the thread that asks. */
public final class UsingServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Thread self = Thread.currentThread();
    check(JvmTools.class.getClassLoader() == getClass().getClassLoader());
    check(JvmTools.getStackTrace(self).toString().contains("doGet"));
    check(JvmTools.threadDump().thread(self).isPresent());
    try (Jvmti jvmti = Jvmti.open()) {
      check(jvmti.threads().state(self).isAlive());
    }
    response.getWriter().print("used");
  }

  private static void check(boolean holds) {
    if (!holds) {
      throw new AssertionError("the library does not work");
    }
  }
}

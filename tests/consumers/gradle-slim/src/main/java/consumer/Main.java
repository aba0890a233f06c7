package consumer;

import io.jvmtools.JvmTools;

final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.out.println(JvmTools.getThreadState(Thread.currentThread()));
  }
}

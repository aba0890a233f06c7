package io.jvmtools.functions.event;

import io.jvmtools.functions.Relay;
import java.io.Serializable;

/** What is left early. */
class Shop {

  final Object till = new Object();
  int sold;
  boolean cleanedUp;

  void sell() {
    sold++;
  }

  boolean isOpen() {
    return sold < 0;
  }

  byte aByte() {
    return (byte) ++sold;
  }

  char aChar() {
    return (char) ++sold;
  }

  short aShort() {
    return (short) ++sold;
  }

  int price() {
    return ++sold;
  }

  static int twice(int number) {
    return number * 2;
  }

  static int half(int divisor) {
    return 1 / divisor;
  }

  Object any() {
    return ++sold;
  }

  Serializable[] all() {
    return new Serializable[] {++sold};
  }

  long aLong() {
    return ++sold;
  }

  float aFloat() {
    return ++sold;
  }

  double aDouble() {
    return ++sold;
  }

  String name() {
    return "shop" + ++sold;
  }

  int[] numbers() {
    return new int[] {++sold};
  }

  Shop branch() {
    sold++;
    return this;
  }

  Relay relay() {
    sold++;
    return null;
  }

  synchronized int locked() {
    return sell(3);
  }

  synchronized void lockedTwice() {
    synchronized (till) {
      try {
        sell(3);
      } finally {
        cleanedUp = true;
      }
    }
  }

  String basket() {
    return both(
        any(), // is on the stack in the next line
        name());
  }

  int weight() {
    return weigh(
        any(), // is on the stack in the next line
        price());
  }

  private String both(Object one, String other) {
    return one + other;
  }

  private int weigh(Object one, int more) {
    return one.hashCode() + more;
  }

  private int sell(int number) {
    sold += number;
    return sold;
  }
}

package io.jvmtools.neighbour;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Accounts with transfers between them, which are a function of who makes them: so the balance that
 * all of them must come to can be computed plainly. Half of the accounts have a monitor, half a
 * lock of {@code java.util.concurrent}.
 */
final class Accounts {

  private static final int COUNT = 64;
  private static final long LONGEST_THOUGHT_MILLIS = 4_000;

  private final List<Account> all = new ArrayList<>();

  Accounts() {
    for (int i = 0; i < COUNT; i++) {
      all.add(i % 2 == 0 ? new Guarded() : new Locked());
    }
  }

  /** Moves money, and answers how much. */
  long transfer(int client, int number, int which) {
    long amount = amount(client, number, which);
    from(client, number, which).add(-amount);
    to(client, number, which).add(amount);
    return amount;
  }

  /** Undoes both transfers of a request. */
  void takeBack(int client, int number) {
    for (int which = 0; which < 2; which++) {
      long amount = amount(client, number, which);
      from(client, number, which).add(amount);
      to(client, number, which).add(-amount);
    }
  }

  /** Whether nothing remains. */
  boolean areEmpty() {
    return all.stream().allMatch(account -> account.balance == 0);
  }

  static long amount(int client, int number, int which) {
    return mix(client, number, which) & 0xffff;
  }

  static long thinkingMillis(int client, int number, int which) {
    return (mix(client, number, which) >>> 16) % LONGEST_THOUGHT_MILLIS;
  }

  private Account from(int client, int number, int which) {
    return all.get((int) ((mix(client, number, which) >>> 32) % COUNT));
  }

  private Account to(int client, int number, int which) {
    return all.get((int) ((mix(client, number, which) >>> 40) % COUNT));
  }

  /** The finishing step of SplitMix64, without its sign. */
  private static long mix(int client, int number, int which) {
    long z = ((long) client << 33 | (long) number << 1 | which) * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return (z ^ (z >>> 31)) >>> 1;
  }

  private abstract static class Account {
    long balance;

    abstract void add(long amount);
  }

  private static final class Guarded extends Account {
    @Override
    synchronized void add(long amount) {
      balance += amount;
    }
  }

  private static final class Locked extends Account {
    private final ReentrantLock lock = new ReentrantLock();

    @Override
    void add(long amount) {
      lock.lock();
      try {
        balance += amount;
      } finally {
        lock.unlock();
      }
    }
  }
}

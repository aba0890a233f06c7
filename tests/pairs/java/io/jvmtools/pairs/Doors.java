package io.jvmtools.pairs;

import io.jvmtools.pairs.Operation.Kind;

/** Where the two operations of a pair happen. */
enum Doors {
  /** Both at the static door. */
  STATIC {
    @Override
    boolean admit(Operation first, Operation second) {
      return isStatic(first) && isStatic(second);
    }
  },
  /** Both in one environment. */
  ONE {
    @Override
    boolean admit(Operation first, Operation second) {
      return isInEnvironment(first) && isInEnvironment(second);
    }
  },
  /** Each in its own environment. */
  TWO {
    @Override
    boolean admit(Operation first, Operation second) {
      return isInEnvironment(first) && isInEnvironment(second);
    }
  },
  /** One at the static door, the other in an environment. */
  BOTH {
    @Override
    boolean admit(Operation first, Operation second) {
      return first.kind() == Kind.STATIC_DOOR && second.kind() == Kind.ENVIRONMENT
          || first.kind() == Kind.ENVIRONMENT && second.kind() == Kind.STATIC_DOOR;
    }
  };

  abstract boolean admit(Operation first, Operation second);

  private static boolean isStatic(Operation operation) {
    return operation.kind() != Kind.ENVIRONMENT;
  }

  private static boolean isInEnvironment(Operation operation) {
    return operation.kind() != Kind.STATIC_DOOR;
  }
}

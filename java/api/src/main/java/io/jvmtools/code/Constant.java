package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

/**
 * A constant of a class file, with the text that it refers to.
 *
 * <p>Names of classes are as class files have them, {@code "java/util/List"}, or {@code "[I"} for
 * an array; types are descriptors, {@code "I"} or {@code "(Ljava/lang/String;)V"}.
 */
public sealed interface Constant {

  /**
   * Where in the constant pool it stands, as instructions name it: {@code #7}.
   *
   * @return the index, from 1 on
   */
  int index();

  /**
   * A text that others refer to: a name, a descriptor, or what a string says.
   *
   * @param index its index
   * @param value the text
   */
  record Utf8(int index, String value) implements Constant {

    /**
     * Refuses a {@code null} text.
     *
     * @param index its index
     * @param value the text
     */
    public Utf8 {
      requireNonNull(value, "value");
    }

    /**
     * For people.
     *
     * @return for example {@code "Utf8 java/util/List"}
     */
    @Override
    public String toString() {
      return "Utf8 " + value;
    }
  }

  /**
   * A number.
   *
   * @param index its index; a {@code Long} or a {@code Double} takes the next one, too
   * @param value an {@code Integer}, a {@code Float}, a {@code Long} or a {@code Double}
   */
  record Numeric(int index, Number value) implements Constant {

    /**
     * Refuses a {@code null} number.
     *
     * @param index its index
     * @param value the number
     */
    public Numeric {
      requireNonNull(value, "value");
    }

    /**
     * For people.
     *
     * @return for example {@code "Integer 7"}
     */
    @Override
    public String toString() {
      return value.getClass().getSimpleName() + ' ' + value;
    }
  }

  /**
   * A class, an interface or an array.
   *
   * @param index its index
   * @param name for example {@code "java/util/List"}
   */
  record ClassName(int index, String name) implements Constant {

    /**
     * Refuses a {@code null} name.
     *
     * @param index its index
     * @param name the name
     */
    public ClassName {
      requireNonNull(name, "name");
    }

    /**
     * For people.
     *
     * @return for example {@code "Class java/util/List"}
     */
    @Override
    public String toString() {
      return "Class " + name;
    }
  }

  /**
   * A string, as the program has it.
   *
   * @param index its index
   * @param value what it says
   */
  record Text(int index, String value) implements Constant {

    /**
     * Refuses a {@code null} text.
     *
     * @param index its index
     * @param value the text
     */
    public Text {
      requireNonNull(value, "value");
    }

    /**
     * For people.
     *
     * @return for example {@code "String hello"}
     */
    @Override
    public String toString() {
      return "String " + value;
    }
  }

  /**
   * A field or a method that is used.
   *
   * @param index its index
   * @param kind what it is
   * @param owner the class that is named with it: the one that declares it, or one that inherits it
   * @param name its name
   * @param signature its descriptor
   */
  record Member(int index, Member.Kind kind, String owner, String name, String signature)
      implements Constant {

    /** What a member is. */
    public enum Kind {
      /** A field. */
      FIELD,
      /** A method or a constructor of a class. */
      METHOD,
      /** A method of an interface. */
      INTERFACE_METHOD
    }

    /**
     * Refuses {@code null} components.
     *
     * @param index its index
     * @param kind what it is
     * @param owner the class
     * @param name its name
     * @param signature its descriptor
     */
    public Member {
      requireNonNull(kind, "kind");
      requireNonNull(owner, "owner");
      requireNonNull(name, "name");
      requireNonNull(signature, "signature");
    }

    /**
     * For people.
     *
     * @return for example {@code "METHOD java/util/List.size()I"}
     */
    @Override
    public String toString() {
      String separator = kind == Member.Kind.FIELD ? " " : "";
      return kind + " " + owner + '.' + name + separator + signature;
    }
  }

  /**
   * A name and a descriptor, of which others make a member.
   *
   * @param index its index
   * @param name the name
   * @param signature the descriptor
   */
  record NameAndType(int index, String name, String signature) implements Constant {

    /**
     * Refuses {@code null} components.
     *
     * @param index its index
     * @param name the name
     * @param signature the descriptor
     */
    public NameAndType {
      requireNonNull(name, "name");
      requireNonNull(signature, "signature");
    }

    /**
     * For people.
     *
     * @return for example {@code "NameAndType size ()I"}
     */
    @Override
    public String toString() {
      return "NameAndType " + name + ' ' + signature;
    }
  }

  /**
   * A method handle: what is done with a member.
   *
   * @param index its index
   * @param kind what is done
   * @param member with which member
   */
  record Handle(int index, Handle.Kind kind, Member member) implements Constant {

    /** What a method handle does, in the order of their numbers in a class file, from 1 on. */
    public enum Kind {
      /** Reads a field of an object. */
      GET_FIELD,
      /** Reads a static field. */
      GET_STATIC,
      /** Writes a field of an object. */
      PUT_FIELD,
      /** Writes a static field. */
      PUT_STATIC,
      /** Calls a method of an object. */
      INVOKE_VIRTUAL,
      /** Calls a static method. */
      INVOKE_STATIC,
      /** Calls a method of an object, and no other one that overrides it. */
      INVOKE_SPECIAL,
      /** Makes an object. */
      NEW_INVOKE_SPECIAL,
      /** Calls a method of an interface. */
      INVOKE_INTERFACE
    }

    /**
     * Refuses {@code null} components.
     *
     * @param index its index
     * @param kind what is done
     * @param member with which member
     */
    public Handle {
      requireNonNull(kind, "kind");
      requireNonNull(member, "member");
    }

    /**
     * For people.
     *
     * @return for example {@code "Handle INVOKE_STATIC METHOD java/lang/Math.abs(I)I"}
     */
    @Override
    public String toString() {
      return "Handle " + kind + ' ' + member;
    }
  }

  /**
   * The type of a method.
   *
   * @param index its index
   * @param signature its descriptor
   */
  record Type(int index, String signature) implements Constant {

    /**
     * Refuses a {@code null} descriptor.
     *
     * @param index its index
     * @param signature the descriptor
     */
    public Type {
      requireNonNull(signature, "signature");
    }

    /**
     * For people.
     *
     * @return for example {@code "Type ()V"}
     */
    @Override
    public String toString() {
      return "Type " + signature;
    }
  }

  /**
   * What a bootstrap method makes when it is first used: a constant or a call site, as of a lambda.
   *
   * @param index its index
   * @param kind what is made
   * @param bootstrapMethod which one of the class file's table makes it, from 0 on
   * @param name the name that it is given
   * @param signature the descriptor: of a constant its type, of a call site that of the call
   */
  record Dynamic(int index, Dynamic.Kind kind, int bootstrapMethod, String name, String signature)
      implements Constant {

    /** What is made. */
    public enum Kind {
      /** A constant. */
      CONSTANT,
      /** A call site. */
      CALL_SITE
    }

    /**
     * Refuses {@code null} components.
     *
     * @param index its index
     * @param kind what is made
     * @param bootstrapMethod by which one
     * @param name the name
     * @param signature the descriptor
     */
    public Dynamic {
      requireNonNull(kind, "kind");
      requireNonNull(name, "name");
      requireNonNull(signature, "signature");
    }

    /**
     * For people.
     *
     * @return for example {@code "CALL_SITE bootstrap 0 run ()Ljava/lang/Runnable;"}
     */
    @Override
    public String toString() {
      return kind + " bootstrap " + bootstrapMethod + ' ' + name + ' ' + signature;
    }
  }

  /**
   * A module or a package; only descriptors of modules have them.
   *
   * @param index its index
   * @param kind which of the two
   * @param name its name, of a package with slashes
   */
  record Named(int index, Named.Kind kind, String name) implements Constant {

    /** What is named. */
    public enum Kind {
      /** A module. */
      MODULE,
      /** A package. */
      PACKAGE
    }

    /**
     * Refuses {@code null} components.
     *
     * @param index its index
     * @param kind which of the two
     * @param name its name
     */
    public Named {
      requireNonNull(kind, "kind");
      requireNonNull(name, "name");
    }

    /**
     * For people.
     *
     * @return for example {@code "PACKAGE java/util"}
     */
    @Override
    public String toString() {
      return kind + " " + name;
    }
  }
}

package io.jvmtools.pairs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Which methods of the product come to one of its natives: by the calls in their code, as far as
 * those name what is called. What a maker or a function object hides is not seen.
 */
final class Reach {

  private static final String PRODUCT = "io/jvmtools/";
  private static final String NATIVES = PRODUCT + "internal/\\w+/\\w+Natives";

  /** A method as the class file names it. */
  private record Code(String owner, String name, String descriptor) {

    boolean isNative() {
      return owner.matches(NATIVES);
    }
  }

  /** What each method of the classes calls that were looked at. */
  private final Map<String, Map<Code, Set<Code>>> calls = new HashMap<>();

  /** Whether a call may come to a native. */
  boolean hasNatives(Executable executable) {
    return executable instanceof Method method
        && comesToNative(
            new Code(
                Type.getInternalName(method.getDeclaringClass()),
                method.getName(),
                Type.getMethodDescriptor(method)),
            new HashSet<>());
  }

  private boolean comesToNative(Code code, Set<Code> seen) {
    return code.isNative()
        || seen.add(code)
            && code.owner.startsWith(PRODUCT)
            && calls.computeIfAbsent(code.owner, Reach::read).getOrDefault(code, Set.of()).stream()
                .anyMatch(called -> comesToNative(called, seen));
  }

  private static Map<Code, Set<Code>> read(String owner) {
    Map<Code, Set<Code>> found = new HashMap<>();
    try (InputStream file = Reach.class.getResourceAsStream("/" + owner + ".class")) {
      new ClassReader(file).accept(new Calls(owner, found), ClassReader.SKIP_DEBUG);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static final class Calls extends ClassVisitor {

    private final String owner;
    private final Map<Code, Set<Code>> found;

    Calls(String owner, Map<Code, Set<Code>> found) {
      super(Opcodes.ASM9);
      this.owner = owner;
      this.found = found;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      Set<Code> called =
          found.computeIfAbsent(new Code(owner, name, descriptor), unused -> new HashSet<>());
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String type, String method, String of, boolean isInterface) {
          called.add(new Code(type, method, of));
        }

        /**
         * Whoever reads it has what the initialiser has made, with the methods that it refers to.
         */
        @Override
        public void visitFieldInsn(int opcode, String type, String field, String of) {
          if (opcode == Opcodes.GETSTATIC) {
            called.add(new Code(type, "<clinit>", "()V"));
          }
        }

        @Override
        public void visitInvokeDynamicInsn(
            String method, String of, Handle bootstrap, Object... arguments) {
          for (Object argument : arguments) {
            if (argument instanceof Handle handle) {
              called.add(new Code(handle.getOwner(), handle.getName(), handle.getDesc()));
            }
          }
        }
      };
    }
  }
}

package io.jvmtools.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.jvmtools.LibraryLoadException;
import io.jvmtools.internal.code.SymbolNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.system.PlatformText;
import java.io.File;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where something is in the memory of this process.
 *
 * @param value the address; those in the upper half are negative
 */
public record NativeAddress(long value) {

  /**
   * Where the function or the variable of a name is, among all that every library of this process
   * sees. Loads the library of these classes if it is not there yet.
   *
   * <p>On Linux and macOS that is what the dynamic linker tells: the executable, what it was linked
   * with, and what was loaded for all to see. On Linux {@link System#load} loads for nobody else to
   * see: {@link #ofSymbol(Path, String)} finds what is there. On Windows it is all that the
   * libraries of the process export; of several the first one that was loaded counts.
   *
   * <p>The address holds as long as the library is loaded. Whoever answers it to {@link
   * io.jvmtools.event.EventTypes#NATIVE_METHOD_BIND} has the JVM call a C function as the code of a
   * native method: with a {@code JNIEnv*}, the class or the object, and then the method's
   * arguments. A function that takes anything else reads whatever is there, one that answers
   * anything else answers whatever it left, and if it is a variable the JVM crashes.
   *
   * @param name the name as the library has it, in UTF-8
   * @return the address; empty if nothing is called so
   * @throws LibraryLoadException if the native library cannot be loaded
   */
  public static Optional<NativeAddress> ofSymbol(String name) {
    requireNonNull(name, "name");
    NativeLibrary.load();
    return known(SymbolNatives.address(name.getBytes(UTF_8)));
  }

  /**
   * Where the function or the variable of a name is in one library that this process has loaded, in
   * whatever way, as {@link System#load} does; on Linux and macOS also in those that it was linked
   * with. What {@link #ofSymbol(String)} says of addresses holds for these, too.
   *
   * @param library the file that the process has loaded
   * @param name the name as the library has it, in UTF-8
   * @return the address; empty if nothing is called so
   * @throws IllegalArgumentException if it is not a file of the default file system
   * @throws IllegalStateException if the process has loaded no library from that file
   * @throws LibraryLoadException if the native library cannot be loaded
   */
  public static Optional<NativeAddress> ofSymbol(Path library, String name) {
    File plain = PlatformText.file(library, "library");
    requireNonNull(name, "name");
    if (plain.exists() && !plain.isFile()) {
      // The linker would open it, and wait for whoever writes into a pipe.
      throw new IllegalStateException("the process has loaded no library from that file");
    }
    byte[] file = PlatformText.bytes(plain.getAbsolutePath());
    NativeLibrary.load();
    return known(SymbolNatives.addressIn(file, name.getBytes(UTF_8)));
  }

  private static Optional<NativeAddress> known(long address) {
    return address == 0 ? Optional.empty() : Optional.of(new NativeAddress(address));
  }

  /**
   * What it stands for, for people.
   *
   * @return for example {@code "0x7f3a5c001040"}
   */
  @Override
  public String toString() {
    return "0x" + Long.toHexString(value);
  }
}

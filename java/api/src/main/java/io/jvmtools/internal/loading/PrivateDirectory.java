package io.jvmtools.internal.loading;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A directory for code that will be loaded: nobody else may be able to write to it. */
final class PrivateDirectory {

  private static final String PROPERTY = "jvmtools.extract.dir";
  private static final String VARIABLE = "JVMTOOLS_EXTRACT_DIR";

  static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

  private PrivateDirectory() {}

  /** Where this process may extract the library to, the best place first. */
  static List<Path> candidates() {
    return candidates(System::getProperty, System::getenv);
  }

  /**
   * Where the library may be extracted to, the best place first.
   *
   * @param property reads a system property
   * @param variable reads an environment variable
   */
  static List<Path> candidates(
      UnaryOperator<@Nullable String> property, UnaryOperator<@Nullable String> variable) {
    List<Path> candidates = new ArrayList<>();
    addChosen(candidates, "property " + PROPERTY, property.apply(PROPERTY));
    addChosen(candidates, "environment variable " + VARIABLE, variable.apply(VARIABLE));
    String temporary = property.apply("java.io.tmpdir");
    if (temporary != null && !temporary.isEmpty()) {
      String user = String.valueOf(property.apply("user.name")).replaceAll("[^A-Za-z0-9._-]", "_");
      candidates.add(Path.of(temporary, "jvmtools-" + user).toAbsolutePath());
    }
    String cache = variable.apply("XDG_CACHE_HOME");
    String home = property.apply("user.home");
    if (cache != null && new File(cache).isAbsolute()) {
      candidates.add(Path.of(cache, "jvmtools"));
    } else if (home != null && new File(home).isAbsolute()) {
      candidates.add(Path.of(home, ".cache", "jvmtools"));
    }
    return candidates;
  }

  private static void addChosen(List<Path> candidates, String setting, @Nullable String chosen) {
    if (chosen != null && !chosen.isEmpty()) {
      candidates.add(ChosenFile.path(setting, chosen).toAbsolutePath());
    }
  }

  /**
   * Makes sure that the directory is there and belongs to this user alone.
   *
   * @throws IOException if it does not; the message says why
   */
  static void require(Path directory) throws IOException {
    create(directory);
    if (Files.isSymbolicLink(directory)) {
      throw new IOException("is a symbolic link");
    }
    if (!Files.isDirectory(directory, NOFOLLOW_LINKS)) {
      throw new IOException("is not a directory");
    }
    if (isPosix()) {
      requireOwnerOnly(directory);
    }
  }

  static void makeExecutable(Path file, Set<PosixFilePermission> who) throws IOException {
    if (isPosix()) {
      Files.setPosixFilePermissions(file, who);
    }
  }

  private static void create(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try {
      if (isPosix()) {
        Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      } else {
        Files.createDirectory(directory);
      }
    } catch (FileAlreadyExistsException existing) {
      // Whatever is there is examined next.
    }
  }

  private static void requireOwnerOnly(Path directory) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory, NOFOLLOW_LINKS);
    if (permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(
          "can be written to by others (" + PosixFilePermissions.toString(permissions) + ")");
    }
    UserPrincipal owner = Files.getOwner(directory, NOFOLLOW_LINKS);
    UserPrincipal self = self(directory);
    if (!owner.equals(self)) {
      throw new IOException("belongs to " + owner.getName() + ", not to " + self.getName());
    }
  }

  /** This user, read from a new file, because the JVM has no other way to tell on every system. */
  private static UserPrincipal self(Path directory) throws IOException {
    Path mine = Files.createTempFile(directory, StaleFiles.UNFINISHED, ".owner");
    try {
      return Files.getOwner(mine, NOFOLLOW_LINKS);
    } finally {
      Files.deleteIfExists(mine);
    }
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}

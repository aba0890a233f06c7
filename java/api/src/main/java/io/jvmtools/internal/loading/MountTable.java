package io.jvmtools.internal.loading;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file systems of this process, as Linux lists them; elsewhere there are none to see.
 *
 * @param mounts in the order they were mounted
 */
record MountTable(List<Mount> mounts) {

  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  /** One line: where it is mounted, and its options between commas. */
  record Mount(Path point, String options) {

    static @Nullable Mount parse(String line) {
      String[] columns = line.split(" ", -1);
      if (columns.length < 4) {
        return null;
      }
      return new Mount(Path.of(unescape(columns[1])), "," + columns[3] + ",");
    }

    /** Blanks and the like are written as three octal digits. */
    private static String unescape(String column) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < column.length(); i++) {
        if (column.charAt(i) == '\\' && i + 3 < column.length()) {
          text.append((char) Integer.parseInt(column.substring(i + 1, i + 4), 8));
          i += 3;
        } else {
          text.append(column.charAt(i));
        }
      }
      return text.toString();
    }
  }

  static MountTable ofThisProcess() {
    try {
      return parse(Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1));
    } catch (IOException | RuntimeException unreadable) {
      return new MountTable(List.of());
    }
  }

  static MountTable parse(List<String> lines) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : lines) {
      Mount mount = Mount.parse(line);
      if (mount != null) {
        mounts.add(mount);
      }
    }
    return new MountTable(List.copyOf(mounts));
  }

  /** Whether the file system of an existing file lets nothing be executed. */
  boolean isNoexec(Path file) {
    Path real;
    try {
      real = file.toRealPath();
    } catch (IOException absent) {
      return false;
    }
    Mount of = null;
    for (Mount mount : mounts) {
      boolean deeper = of == null || mount.point().getNameCount() >= of.point().getNameCount();
      if (deeper && real.startsWith(mount.point())) {
        of = mount;
      }
    }
    return of != null && of.options().contains(",noexec,");
  }
}

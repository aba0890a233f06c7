package io.jvmtools.functions;

import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Modules that nobody else has, each in a layer and a class loader of its own and with class files
 * in memory: what is done to one disturbs no other test.
 */
public final class OwnModule {

  private OwnModule() {}

  /** A module that reads {@code java.base}, with one package, called like it, and its provider. */
  public static Module named(String name) {
    return define(ModuleDescriptor.newModule(name, Set.of()), name);
  }

  /** The same, with all its packages open. */
  public static Module open(String name) {
    return define(ModuleDescriptor.newOpenModule(name), name);
  }

  private static Module define(ModuleDescriptor.Builder builder, String name) {
    String file = name.replace('.', '/') + "/Provided";
    return define(
        builder.requires("java.base").packages(Set.of(name)).build(),
        Map.of(file + ".class", provided(file)));
  }

  private static byte[] provided(String name) {
    String original = Provided.class.getName().replace('.', '/');
    return ClassFiles.renamed(ClassFiles.of(Provided.class), Map.of(original, name));
  }

  /** The class in a module of {@link #named(String)} that can provide {@link Runnable}. */
  public static Class<?> provider(Module module) {
    return Class.forName(module, module.getName() + ".Provided");
  }

  /** The same in the unnamed module of a class loader of its own. */
  public static Class<?> providerOfAnUnnamedOne() {
    byte[] file = provided("acme/Provided");
    return new ClassLoader() {
      Class<?> define() {
        return defineClass(null, file, 0, file.length);
      }
    }.define();
  }

  /** A module with class files, by their names. */
  public static Module define(ModuleDescriptor descriptor, Map<String, byte[]> files) {
    ModuleFinder finder = new OneModule(new InMemory(descriptor, files));
    Configuration configuration =
        Configuration.resolve(
            finder,
            List.of(ModuleLayer.boot().configuration()),
            ModuleFinder.of(),
            Set.of(descriptor.name()));
    return ModuleLayer.defineModulesWithOneLoader(
            configuration, List.of(ModuleLayer.boot()), ClassLoader.getPlatformClassLoader())
        .layer()
        .findModule(descriptor.name())
        .orElseThrow();
  }

  /** Copies of this class, called otherwise, are in the modules. */
  public static final class Provided implements Runnable {

    /** As a service loader calls it. */
    public Provided() {}

    @Override
    public void run() {}
  }

  private record OneModule(InMemory reference) implements ModuleFinder {
    @Override
    public Optional<ModuleReference> find(String name) {
      return Optional.<ModuleReference>of(reference)
          .filter(found -> found.descriptor().name().equals(name));
    }

    @Override
    public Set<ModuleReference> findAll() {
      return Set.of(reference);
    }
  }

  private static final class InMemory extends ModuleReference {

    private final Map<String, byte[]> files;

    InMemory(ModuleDescriptor descriptor, Map<String, byte[]> files) {
      super(descriptor, null);
      this.files = files;
    }

    @Override
    public ModuleReader open() {
      return new ModuleReader() {
        @Override
        public Optional<URI> find(String name) {
          return Optional.empty();
        }

        @Override
        public Optional<InputStream> open(String name) {
          return Optional.empty();
        }

        @Override
        public Optional<ByteBuffer> read(String name) {
          return Optional.ofNullable(files.get(name)).map(ByteBuffer::wrap);
        }

        @Override
        public Stream<String> list() {
          return files.keySet().stream();
        }

        @Override
        public void close() {}
      };
    }
  }
}

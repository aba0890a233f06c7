import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** Starts the bundles that are named in an OSGi framework, and ends, also if one does not start. */
public class Launcher {
  public static void main(String[] args) throws Exception {
    FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class).findFirst().orElseThrow();
    Path storage = Files.createTempDirectory(Path.of("."), "felix");
    Framework framework =
        factory.newFramework(Map.of("org.osgi.framework.storage", storage.toString()));
    framework.start();
    try {
      List<Bundle> bundles = new ArrayList<>();
      for (String bundle : args) {
        bundles.add(framework.getBundleContext().installBundle(Path.of(bundle).toUri().toString()));
      }
      for (Bundle bundle : bundles) {
        // A fragment is a part of another bundle, and starts with that.
        if (bundle.getHeaders().get("Fragment-Host") == null) {
          bundle.start();
        }
      }
    } finally {
      framework.stop();
      framework.waitForStop(60_000);
    }
  }
}

package io.jvmtools;

import io.jvmtools.internal.GeneralNatives;
import io.jvmtools.internal.MethodCache;
import io.jvmtools.internal.MethodFacts;
import io.jvmtools.internal.MethodNatives;
import org.jspecify.annotations.Nullable;

/** The methods that stacks have named so far. */
final class Methods {

  private static final MethodCache<JvmMethod> CACHE = new MethodCache<>(new Source());

  private Methods() {}

  static JvmMethod get(long id) {
    return CACHE.get(id);
  }

  private static final class Source implements MethodCache.Source<JvmMethod> {

    @Override
    public boolean isLive(JvmMethod method) {
      return method.isLoaded();
    }

    @Override
    public JvmMethod resolve(long id, @Nullable JvmMethod known) {
      MethodFacts facts = (MethodFacts) MethodNatives.resolve(GeneralNatives.metadata(), id);
      if (facts != null) {
        return new JvmMethod(facts);
      }
      return known != null ? known : JvmMethod.unloaded(id);
    }
  }
}

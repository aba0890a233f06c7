package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.code.VariableTableFacts;
import io.jvmtools.internal.environment.Environment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The variables that methods declare, as an environment reads them. */
final class VariableTables implements Function<JvmMethod, Optional<List<DeclaredVariable>>> {

  private final Environment environment;

  VariableTables(Environment environment) {
    this.environment = environment;
  }

  @Override
  @SuppressWarnings("ReachabilityFenceUsage") // The method is no more where its class is not.
  public Optional<List<DeclaredVariable>> apply(JvmMethod method) {
    Class<?> declaring = requireNonNull(method, "method").holder("GetLocalVariableTable");
    VariableTableFacts facts =
        (VariableTableFacts) MethodNatives.getLocalVariableTable(environment.handle(), method.id());
    Reference.reachabilityFence(declaring);
    return environment.keep(Optional.ofNullable(facts).map(VariableTables::list));
  }

  private static List<DeclaredVariable> list(VariableTableFacts facts) {
    List<DeclaredVariable> variables = new ArrayList<>();
    for (int i = 0; i < facts.names().length; i++) {
      long start = facts.ranges()[2 * i];
      variables.add(
          new DeclaredVariable(
              facts.names()[i],
              facts.signatures()[i],
              Optional.ofNullable(facts.generics()[i]),
              facts.slots()[i],
              start,
              start + facts.ranges()[2 * i + 1]));
    }
    return Collections.unmodifiableList(variables);
  }
}

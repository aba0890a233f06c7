package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import java.util.List;
import java.util.Optional;

/**
 * How often something happened at one place.
 *
 * @param className the class of what was allocated, thrown or contended for, as {@link
 *     Class#getName()} has it; empty of methods
 * @param stack where, innermost first, as deep as was asked for; of methods the method alone
 * @param isCut whether there are more frames below than were asked for
 * @param count how often
 * @param amount how much, in the profile's unit; bytes are estimated, as {@link
 *     Profiles#allocations(int, ProfileOptions)} says
 */
public record ProfileEntry(
    Optional<String> className,
    List<StackTraceElement> stack,
    boolean isCut,
    long count,
    long amount) {

  /**
   * An entry, of whomever.
   *
   * @param className the class, if there is one
   * @param stack where, which is copied
   * @param isCut whether there are more frames below
   * @param count how often
   * @param amount how much
   */
  public ProfileEntry {
    requireNonNull(className, "className");
    stack = Lists.copyOf(stack, "stack");
  }
}

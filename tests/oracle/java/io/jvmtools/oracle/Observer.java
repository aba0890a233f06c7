package io.jvmtools.oracle;

/**
 * Who observes: one method for each function, named like it, that answers text.
 *
 * <p>An answer is the value in a form that all observers share, or the name of the error without
 * its prefix; {@code NONE} from functions that answer no value. Threads, groups, loaders and
 * monitors are called as {@link Names} calls them, sorted where the VM promises no order. A frame
 * is {@code class.method:location}, the innermost first.
 *
 * <p>The answer here is that there is none: an observer does what it can.
 */
interface Observer {

  /** What a function throws that the observer does not have. */
  final class NoAnswer extends UnsupportedOperationException {
    private static final long serialVersionUID = 1L;
  }

  /** Opens observers, each with an environment of its own. */
  @FunctionalInterface
  interface Source {
    /** An observer whose environment holds these capabilities, as the specification spells them. */
    Observer open(String... capabilities);
  }

  /** The name of the error that an exception stands for. */
  default String failure(RuntimeException failure) {
    throw failure;
  }

  // The stem `thread`.

  default String getThreadState(Thread thread) {
    throw new NoAnswer();
  }

  default String getThreadInfo(Thread thread) {
    throw new NoAnswer();
  }

  default String getAllThreads() {
    throw new NoAnswer();
  }

  default String getCurrentThread() {
    throw new NoAnswer();
  }

  default String interruptThread(Thread thread) {
    throw new NoAnswer();
  }

  default String stopThread(Thread thread, Throwable exception) {
    throw new NoAnswer();
  }

  default String getOwnedMonitorInfo(Thread thread) {
    throw new NoAnswer();
  }

  default String getOwnedMonitorStackDepthInfo(Thread thread) {
    throw new NoAnswer();
  }

  default String getCurrentContendedMonitor(Thread thread) {
    throw new NoAnswer();
  }

  default String getThreadLocalStorage(Thread thread) {
    throw new NoAnswer();
  }

  default String setThreadLocalStorage(Thread thread, long value) {
    throw new NoAnswer();
  }

  default String suspendThread(Thread thread) {
    throw new NoAnswer();
  }

  default String resumeThread(Thread thread) {
    throw new NoAnswer();
  }

  default String suspendThreadList(Thread... threads) {
    throw new NoAnswer();
  }

  default String resumeThreadList(Thread... threads) {
    throw new NoAnswer();
  }

  default String suspendAllVirtualThreads(Thread... except) {
    throw new NoAnswer();
  }

  default String resumeAllVirtualThreads(Thread... except) {
    throw new NoAnswer();
  }

  default String runAgentThread(Thread thread, Runnable body, int priority) {
    throw new NoAnswer();
  }

  default String getTopThreadGroups() {
    throw new NoAnswer();
  }

  default String getThreadGroupInfo(ThreadGroup group) {
    throw new NoAnswer();
  }

  default String getThreadGroupChildren(ThreadGroup group) {
    throw new NoAnswer();
  }

  // The stem `frame`.

  default String getStackTrace(Thread thread, int start, int max) {
    throw new NoAnswer();
  }

  default String getAllStackTraces(int max) {
    throw new NoAnswer();
  }

  default String getThreadListStackTraces(Thread[] threads, int max) {
    throw new NoAnswer();
  }

  default String getFrameCount(Thread thread) {
    throw new NoAnswer();
  }

  default String getFrameLocation(Thread thread, int depth) {
    throw new NoAnswer();
  }

  // The stems `heap` and `object`.

  default String setTag(Object object, long tag) {
    throw new NoAnswer();
  }

  default String getTag(Object object) {
    throw new NoAnswer();
  }

  default String getObjectsWithTags(long... tags) {
    throw new NoAnswer();
  }

  default String getObjectSize(Object object) {
    throw new NoAnswer();
  }

  default String getObjectHashCode(Object object) {
    throw new NoAnswer();
  }

  default String getObjectMonitorUsage(Object object) {
    throw new NoAnswer();
  }

  // The stem `timer`.

  default String getCurrentThreadCpuTimerInfo() {
    throw new NoAnswer();
  }

  default String getThreadCpuTimerInfo() {
    throw new NoAnswer();
  }

  default String getTimerInfo() {
    throw new NoAnswer();
  }

  default String getCurrentThreadCpuTime() {
    throw new NoAnswer();
  }

  default String getThreadCpuTime(Thread thread) {
    throw new NoAnswer();
  }

  default String getTime() {
    throw new NoAnswer();
  }

  default String getAvailableProcessors() {
    throw new NoAnswer();
  }

  // The stems `general` and `capabilities`.

  default String getPhase() {
    throw new NoAnswer();
  }

  default String getVersionNumber() {
    throw new NoAnswer();
  }

  default String getErrorName(int number) {
    throw new NoAnswer();
  }

  default String getJLocationFormat() {
    throw new NoAnswer();
  }

  default String setVerboseFlag(String flag, boolean on) {
    throw new NoAnswer();
  }

  default String getCapabilities() {
    throw new NoAnswer();
  }

  default String getPotentialCapabilities() {
    throw new NoAnswer();
  }

  default String addCapabilities(String... capabilities) {
    throw new NoAnswer();
  }

  default String relinquishCapabilities(String... capabilities) {
    throw new NoAnswer();
  }

  default String disposeEnvironment() {
    throw new NoAnswer();
  }
}

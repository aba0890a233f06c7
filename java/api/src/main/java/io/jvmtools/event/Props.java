package io.jvmtools.event;

/**
 * What stands for what an event is about, while telling it is rehearsed.
 *
 * @param thread the thread
 * @param type the class
 * @param throwable what is thrown
 * @param method the id of a method
 * @param field the id of a field of the class
 */
record Props(Thread thread, Class<?> type, Throwable throwable, long method, long field) {}

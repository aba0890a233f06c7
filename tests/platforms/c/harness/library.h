/* The library under test, loaded by the case that asks for it. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <jni.h>
#include <stdbool.h>

/* The file, as an absolute path, and the list of its entry points: set by main. */
extern const char *library_file;
extern const char *exports_file;

/* As the JVM does it. */
void *load_library(void);

/* An entry point of the loaded library. */
void *entry_point(const char *name);

jint start_agent(const char *options);

/* Whether a line of /proc/self/maps has the text. */
bool mapped(const char *text);

#endif

#include "library.h"

#include "check.h"
#include "fake_vm.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *library_file;
const char *exports_file;

void *load_library(void) {
  void *library = dlopen(library_file, RTLD_LAZY);
  if (library == NULL) {
    fail("dlopen: %s", dlerror());
  }
  return library;
}

void *entry_point(const char *name) {
  void *symbol = dlsym(load_library(), name);
  if (symbol == NULL) {
    fail("dlsym: %s", dlerror());
  }
  return symbol;
}

jint start_agent(const char *options) {
  jint (*on_load)(JavaVM *, const char *, void *);
  void *symbol = entry_point("Agent_OnLoad");
  memcpy(&on_load, &symbol, sizeof on_load);
  return on_load(&vm.functions, options, NULL);
}

bool mapped(const char *text) {
  char line[4096];
  bool found = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  expect(maps != NULL, "/proc/self/maps cannot be read");
  while (!found && fgets(line, sizeof line, maps) != NULL) {
    found = strstr(line, text) != NULL;
  }
  fclose(maps);
  return found;
}

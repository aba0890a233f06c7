#include "cases.h"
#include "check.h"
#include "fake_vm.h"
#include "library.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

/* The file that the address lies in. */
static const char *file_of(uintptr_t address) {
  static char line[4096];
  static char file[4096];
  bool found = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  expect(maps != NULL, "/proc/self/maps cannot be read");
  while (!found && fgets(line, sizeof line, maps) != NULL) {
    uintptr_t first;
    uintptr_t last;
    file[0] = '\0';
    int fields = sscanf(line, "%lx-%lx %*s %*s %*s %*s %4095s", &first, &last, file);
    found = fields >= 2 && first <= address && address < last;
  }
  fclose(maps);
  expect(found, "an address that is in no mapping");
  return file;
}

void runs_under_musl(void) {
  static const char *const of_glibc[] = {"/libc.so.6", "/libc-2.", "/ld-linux", "/ld-2."};
  /* The kernel says where it put the loader; in musl that is the C library too. */
  const char *loader = file_of(getauxval(AT_BASE));
  if (strstr(loader, "musl") == NULL) {
    fail("the loader is %s", loader);
  }
  void *of_libc = dlsym(RTLD_DEFAULT, "dlopen");
  char first[4096];
  snprintf(first, sizeof first, "%s", loader);
  expect_text("where dlopen is", file_of((uintptr_t)of_libc), first);
  load_library();
  for (size_t i = 0; i < sizeof of_glibc / sizeof *of_glibc; i++) {
    if (mapped(of_glibc[i])) {
      fail("%s is mapped", of_glibc[i]);
    }
  }
}

void has_every_entry_point(void) {
  char name[256];
  int count = 0;
  FILE *exports = fopen(exports_file, "r");
  expect(exports != NULL, "the list of entry points cannot be read");
  for (; fscanf(exports, "%255s", name) == 1; count++) {
    Dl_info info;
    void *symbol = entry_point(name);
    expect(dladdr(symbol, &info) != 0, "dladdr does not know an entry point");
    expect_text("the file of an entry point", info.dli_fname, library_file);
    expect_text("the name of an entry point", info.dli_sname, name);
  }
  fclose(exports);
  expect(count > 0, "the list of entry points is empty");
}

void stays_after_dlclose(void) {
  expect(!mapped(library_file), "it is mapped before dlopen");
  void *library = load_library();
  void *before = dlsym(library, "Agent_OnAttach");
  expect(before != NULL, "no Agent_OnAttach");
  expect(dlclose(library) == 0, "dlclose fails");
  expect(mapped(library_file), "it is not mapped any more");
  create_vm();
  jint (*on_attach)(JavaVM *, const char *, void *);
  memcpy(&on_attach, &before, sizeof on_attach);
  expect_number("Agent_OnAttach", on_attach(&vm.functions, "", NULL), JNI_OK);
  expect(entry_point("Agent_OnAttach") == before, "loaded again, it is at another address");
}

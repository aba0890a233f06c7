/* Cases, each in a process of its own, so that one that crashes or hangs is one that failed. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdnoreturn.h>

struct Case {
  const char *name;
  void (*run)(void);
};

/* Prints NAME<TAB>OUTCOME for each: passed, failed: WHY, or skipped: WHY. True: none failed. */
bool run_cases(const struct Case *cases, int count);

/* The end of a case, from any of its threads. */
noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
noreturn void skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

void expect(bool condition, const char *complaint);
void expect_number(const char *what, long long found, long long wanted);
void expect_text(const char *what, const char *found, const char *wanted);

/* What the case has written on standard error since this was last asked. Valid until then. */
const char *printed(void);

#endif

#include "check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST = 4096, SECONDS_FOR_A_CASE = 120 };

/* Of the process of a case. */
static int outcome_pipe = -1;
static int error_file = -1;

static noreturn void end(const char *outcome, const char *format, va_list arguments) {
  char line[LONGEST];
  int length = snprintf(line, sizeof line, "%s: ", outcome);
  vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
  for (char *c = line; *c != '\0'; c++) {
    if (*c == '\n' || *c == '\t') {
      *c = ' ';
    }
  }
  /* One write, so that of two threads that fail at once one is heard. */
  if (write(outcome_pipe, line, strlen(line)) < 0) {
    abort();
  }
  _exit(1);
}

noreturn void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  end("failed", format, arguments);
}

noreturn void skip(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  end("skipped", format, arguments);
}

void expect(bool condition, const char *complaint) {
  if (!condition) {
    fail("%s", complaint);
  }
}

void expect_number(const char *what, long long found, long long wanted) {
  if (found != wanted) {
    fail("%s: %lld (0x%llx), not %lld (0x%llx)", what, found, (unsigned long long)found, wanted,
         (unsigned long long)wanted);
  }
}

void expect_text(const char *what, const char *found, const char *wanted) {
  if (strcmp(found, wanted) != 0) {
    fail("%s: '%s', not '%s'", what, found, wanted);
  }
}

const char *printed(void) {
  static char text[LONGEST];
  ssize_t length = pread(error_file, text, sizeof text - 1, 0);
  expect(length >= 0, "what was printed cannot be read");
  text[length] = '\0';
  expect(ftruncate(error_file, 0) == 0 && lseek(error_file, 0, SEEK_SET) == 0,
         "what was printed cannot be forgotten");
  return text;
}

static noreturn void run_case(const struct Case *one, int pipe_end) {
  outcome_pipe = pipe_end;
  error_file = memfd_create("standard error", 0);
  if (error_file < 0 || dup2(error_file, STDERR_FILENO) < 0) {
    fail("standard error cannot be caught");
  }
  alarm(SECONDS_FOR_A_CASE);
  one->run();
  _exit(0);
}

/* What the process wrote until it ended. */
static void read_all(int pipe_end, char *text) {
  size_t length = 0;
  ssize_t more;
  while (length < LONGEST - 1 && (more = read(pipe_end, text + length, LONGEST - 1 - length)) > 0) {
    length += (size_t)more;
  }
  text[length] = '\0';
}

bool run_cases(const struct Case *cases, int count) {
  bool good = true;
  for (int i = 0; i < count; i++) {
    int ends[2];
    char outcome[LONGEST];
    int status = 0;
    fflush(stdout);
    if (pipe(ends) != 0) {
      return false;
    }
    pid_t child = fork();
    if (child < 0) {
      return false;
    }
    if (child == 0) {
      close(ends[0]);
      run_case(&cases[i], ends[1]);
    }
    close(ends[1]);
    read_all(ends[0], outcome);
    close(ends[0]);
    if (waitpid(child, &status, 0) != child) {
      return false;
    }
    if (WIFSIGNALED(status)) {
      snprintf(outcome, sizeof outcome, "failed: it was ended by signal %d (%s)", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    } else if (outcome[0] == '\0') {
      int code = WEXITSTATUS(status);
      snprintf(outcome, sizeof outcome, code == 0 ? "passed" : "failed: it ended with status %d", code);
    }
    good &= strncmp(outcome, "failed", strlen("failed")) != 0;
    printf("%s\t%s\n", cases[i].name, outcome);
  }
  return fflush(stdout) == 0 && good;
}

/*
 * Loads the library and calls it as a JVM does that is none: for platforms that no JVM is to be had for.
 *
 *   harness LIBRARY EXPORTS
 *
 * EXPORTS lists the entry points. Prints CHECK<TAB>OUTCOME for each check; the status is 1 if one failed.
 */
#include "cases.h"
#include "check.h"
#include "library.h"

#include <stdio.h>
#include <stdlib.h>

static const struct Case cases[] = {
    {"runs under musl's loader, and loads no glibc", runs_under_musl},
    {"dlopen, and dlsym of every entry point", has_every_entry_point},
    {"stays mapped after dlclose", stays_after_dlclose},
    {"Agent_OnLoad prepares capabilities and holds none", starts_without_options},
    {"Agent_OnLoad holds and prepares what its options name", holds_and_prepares_what_is_named},
    {"Agent_OnLoad names a wrong option", refuses_wrong_options},
    {"Agent_OnLoad names a capability that the VM does not offer", refuses_what_the_vm_does_not_offer},
    {"Agent_OnLoad refuses a VM without JVM TI 11", refuses_a_vm_without_jvmti},
    {"Agent_OnLoad says what the VM refused", says_what_the_vm_refused},
    {"Agent_OnLoad asks for VMInit only to run a class", asks_for_vm_init_to_run_a_class},
    {"Agent_OnAttach", attaches},
    {"VMDeath", ends_with_the_vm},
    {"JNI_OnLoad and Probe.bind of another ABI, which tells the file", another_abi_is_told_what_the_library_is},
    {"Probe.bind, open, call, close; memory of the VM is given back", binds_and_frees},
    {"JNI_OnLoad defines the door", defines_the_door},
    {"the door admits a relocated copy to an agent", admits_a_relocated_copy},
    {"a panic becomes a Java exception", panic_becomes_an_exception},
    {"the first close registers the gate's barrier", registers_the_barrier},
    {"close while threads come and go, with the barrier", closes_under_threads},
    {"close while threads come and go, with fences", closes_under_threads_without_barrier},
    {"close keeps what a barrier forbidden later cannot protect", keeps_what_no_barrier_protects},
};

int main(int argc, char **argv) {
  if (argc != 3) {
    fputs("usage: harness LIBRARY EXPORTS\n", stderr);
    return 2;
  }
  library_file = realpath(argv[1], NULL);
  exports_file = argv[2];
  if (library_file == NULL) {
    perror(argv[1]);
    return 2;
  }
  return run_cases(cases, sizeof cases / sizeof *cases) ? 0 : 1;
}

/* What is checked, one file for each subject. */
#ifndef CASES_H
#define CASES_H

/* case_loading.c */
void runs_under_musl(void);
void has_every_entry_point(void);
void stays_after_dlclose(void);

/* case_start.c */
void starts_without_options(void);
void holds_and_prepares_what_is_named(void);
void refuses_wrong_options(void);
void refuses_what_the_vm_does_not_offer(void);
void refuses_a_vm_without_jvmti(void);
void says_what_the_vm_refused(void);
void asks_for_vm_init_to_run_a_class(void);
void attaches(void);
void ends_with_the_vm(void);

/* case_binding.c */
void another_abi_is_told_what_the_library_is(void);
void binds_and_frees(void);
void defines_the_door(void);
void admits_a_relocated_copy(void);
void panic_becomes_an_exception(void);

/* case_gate.c */
void registers_the_barrier(void);
void closes_under_threads(void);
void closes_under_threads_without_barrier(void);
void keeps_what_no_barrier_protects(void);

#endif

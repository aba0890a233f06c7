/* Function tables whose every slot ends the case with its number, until something else is put there. */
#ifndef TRAPS_H
#define TRAPS_H

#include <stddef.h>

void trap_all_of_jvmti(void *table, size_t bytes);
void trap_all_of_jni(void *table, size_t bytes);

#endif

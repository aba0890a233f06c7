// Wine 8 lacks this library of Windows 10, from which Rust's standard library takes its random numbers. For tests only.
#include <stddef.h>
#include <stdint.h>

__declspec(dllimport) uint8_t SystemFunction036(void *buffer, uint32_t length); // RtlGenRandom

__declspec(dllexport) int ProcessPrng(uint8_t *buffer, size_t length) {
  return SystemFunction036(buffer, (uint32_t)length);
}

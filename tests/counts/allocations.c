/* Counts the blocks of memory that a process asks for. Loaded before the C library, by LD_PRELOAD. */
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static long asked;

long blocks_asked(void) { return asked; }

void *malloc(size_t size) {
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  return __libc_realloc(block, size);
}

/* Where the wrapper begins. It stands between Bash and every program, and a C library that starts in it would cost more than all of
   its work: glibc asks the processor what it can do, and in a virtual machine each of these questions is one to the host. So it is linked with none,
   and this folder has the few functions that it needs, as the headers of the library declare them. */
#include "system-call.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

char **environ;
uintptr_t __stack_chk_guard = (uintptr_t)0x595e9fbd94fda766;   /* until bare_start() has one that nobody knows */

int main(int argc, char **argv);

__attribute__((noreturn)) void __stack_chk_fail(void) {
  static const char sentence[] = "codex-execve-wrapper: its stack was overwritten\n";
  ssize_t ignored = write(2, sentence, sizeof sentence - 1);
  (void)ignored;
  _exit(126);
}

/* The kernel gives each program sixteen bytes of chance. The lowest byte stays zero, so that no string can hold the guard. */
__attribute__((no_stack_protector)) static void choose_guard(const Elf64_auxv_t *at) {
  for (; at->a_type != AT_NULL; at++)
    if (at->a_type == AT_RANDOM) memcpy(&__stack_chk_guard, (const void *)at->a_un.a_val, sizeof __stack_chk_guard);
  __stack_chk_guard &= ~(uintptr_t)0xff;
}

/* The stack as the kernel makes it: a count, the arguments, the variables, and what is told besides, each list with a null behind. */
__attribute__((noreturn, used, no_stack_protector)) void bare_start(long *stack) {
  int argc = (int)stack[0];
  char **argv = (char **)(stack + 1);
  environ = argv + argc + 1;
  char **end = environ;
  while (*end != NULL) end++;
  choose_guard((const Elf64_auxv_t *)(end + 1));
  _exit(main(argc, argv));
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call bare_start\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start:\n  mov x29, #0\n  mov x30, #0\n  mov x0, sp\n  b bare_start\n");
#endif

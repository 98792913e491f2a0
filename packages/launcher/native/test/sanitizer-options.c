/* The programs run with an empty environment and without a stderr: what the sanitizers find goes to files. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  /* Leaks are not looked for: the processes end by _exit(), and a leak check would have to trace them. */
  /* The library of exec interception may be loaded before that of the sanitizer. */
  return "detect_leaks=0:abort_on_error=0:verify_asan_link_order=0:log_path=" SANITIZER_LOG;
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "print_stacktrace=1:log_path=" SANITIZER_LOG; }

/* Writes so many bytes every so many milliseconds, in lines, until nobody reads them: a process of a busy server that costs
   nothing itself. chatter BYTES MILLISECONDS */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  size_t length = (size_t)atol(argv[1]);
  long ms = atol(argv[2]);
  char *text = malloc(length);
  if (text == NULL) return 1;
  memset(text, 'x', length);
  for (size_t at = 79; at < length; at += 80) text[at] = '\n';
  text[length - 1] = '\n';
  srand((unsigned)getpid());
  struct timespec first = { 0, rand() % 1000 * 1000000L };   /* not all at the same moment */
  nanosleep(&first, NULL);
  for (;;) {
    for (size_t done = 0; done < length;) {
      ssize_t wrote = write(1, text + done, length - done);
      if (wrote <= 0) return 0;
      done += (size_t)wrote;
    }
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
  }
}

/* One program with two names: the wrapper, which Bash executes in place of every program, and, under the name that the server
   gives it, the broker, which stands outside of the sandbox and is asked by wrappers. */
#include "broker/broker.h"
#include "client/wrapper.h"
#include "names.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are little-endian on both sides"
#endif

int main(int argc, char **argv) {
  if (argc > 0 && strcmp(argv[0], BROKER_NAME) == 0) return broker_main(argc, argv);
  return wrapper_main(argc, argv);
}

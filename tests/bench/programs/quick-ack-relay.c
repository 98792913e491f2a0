/* quick-ack-relay PORT: relays loopback connections to 127.0.0.1:PORT and acknowledges what that server sends at once
   (TCP_QUICKACK), as a client without delayed acknowledgements does. Prints its own port; ends when stdin ends. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct direction {
  int from, to;
  int server; /* the end whose data is acknowledged at once */
};

static struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static void set(int fd, int option) {
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, option, &on, sizeof on);
}

static void *copy(void *argument) {
  struct direction way = *(struct direction *)argument;
  free(argument);
  char *block = malloc(1 << 18);
  ssize_t got;
  while (block != NULL && (got = recv(way.from, block, 1 << 18, 0)) > 0) {
    /* The kernel leaves this mode by itself, after a write in particular. */
    set(way.server, TCP_QUICKACK);
    for (ssize_t done = 0; done < got;) {
      ssize_t sent = send(way.to, block + done, got - done, 0);
      if (sent <= 0) goto end;
      done += sent;
    }
    set(way.server, TCP_QUICKACK);
  }
end:
  shutdown(way.to, SHUT_WR);
  shutdown(way.from, SHUT_RD);
  free(block);
  return NULL;
}

static void relay(int from, int to, int server) {
  struct direction *way = malloc(sizeof *way);
  pthread_t thread;
  if (way == NULL) return;
  *way = (struct direction){from, to, server};
  if (pthread_create(&thread, NULL, copy, way) == 0) pthread_detach(thread);
}

static void *end_with_stdin(void *unused) {
  char byte;
  while (read(0, &byte, 1) > 0) continue;
  _exit(0);
  return unused;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_in own = loopback(0), target = loopback(atoi(argv[1]));
  socklen_t size = sizeof own;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&own, size) || listen(listener, 128)) return 1;
  getsockname(listener, (struct sockaddr *)&own, &size);
  printf("%d\n", ntohs(own.sin_port));
  fflush(stdout);
  pthread_t watcher;
  pthread_create(&watcher, NULL, end_with_stdin, NULL);
  for (;;) {
    int client = accept(listener, NULL, NULL);
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client < 0 || connect(server, (struct sockaddr *)&target, sizeof target)) return 1;
    set(client, TCP_NODELAY);
    set(server, TCP_NODELAY);
    set(server, TCP_QUICKACK);
    relay(client, server, server);
    relay(server, client, server);
  }
}

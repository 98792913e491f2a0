/* The words of the C library for what goes wrong with an exec or with a socket: a person compares them with those of Bash. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

char *strerror(int error) {
  static const struct { int error; const char *text; } texts[] = {
    { E2BIG, "Argument list too long" },        { EACCES, "Permission denied" },
    { EAGAIN, "Resource temporarily unavailable" }, { EBADF, "Bad file descriptor" },
    { ECONNREFUSED, "Connection refused" },     { ECONNRESET, "Connection reset by peer" },
    { EFAULT, "Bad address" },                  { EINVAL, "Invalid argument" },
    { EIO, "Input/output error" },              { EISDIR, "Is a directory" },
    { ELIBBAD, "Accessing a corrupted shared library" }, { ELOOP, "Too many levels of symbolic links" },
    { EMFILE, "Too many open files" },          { EMSGSIZE, "Message too long" },
    { ENAMETOOLONG, "File name too long" },     { ENFILE, "Too many open files in system" },
    { ENOBUFS, "No buffer space available" },   { ENOENT, "No such file or directory" },
    { ENOEXEC, "Exec format error" },           { ENOMEM, "Cannot allocate memory" },
    { ENOTCONN, "Transport endpoint is not connected" }, { ENOTDIR, "Not a directory" },
    { EPERM, "Operation not permitted" },       { EPIPE, "Broken pipe" },
    { EPROTO, "Protocol error" },               { ETOOMANYREFS, "Too many references: cannot splice" },
    { ETXTBSY, "Text file busy" },
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].error == error) return (char *)(unsigned long)texts[i].text;
  return "Unknown error";
}

// The text of an operating system error, worded as the peer's binary words it (its C library is musl), for files and
// for commands alike: a client sees one message for one cause whichever server it speaks to, and models read it.

const TEXT: Readonly<Record<string, string>> = {
  E2BIG: 'Argument list too long',
  EACCES: 'Permission denied',
  EAGAIN: 'Resource temporarily unavailable',
  EBADF: 'Bad file descriptor',
  EBUSY: 'Resource busy',
  EDQUOT: 'Quota exceeded',
  EEXIST: 'File exists',
  EFAULT: 'Bad address',
  EFBIG: 'File too large',
  EINTR: 'Interrupted system call',
  EINVAL: 'Invalid argument',
  EIO: 'I/O error',
  EISDIR: 'Is a directory',
  ELOOP: 'Symbolic link loop',
  EMFILE: 'No file descriptors available',
  EMLINK: 'Too many links',
  ENAMETOOLONG: 'Filename too long',
  ENFILE: 'Too many open files in system',
  ENODEV: 'No such device',
  ENOENT: 'No such file or directory',
  ENOEXEC: 'Exec format error',
  ENOMEM: 'Out of memory',
  ENOSPC: 'No space left on device',
  ENOSYS: 'Function not implemented',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  ENOTSUP: 'Not supported',
  ENXIO: 'No such device or address',
  EOVERFLOW: 'Value too large for data type',
  EPERM: 'Operation not permitted',
  EPIPE: 'Broken pipe',
  EROFS: 'Read-only file system',
  ESPIPE: 'Invalid seek',
  ESTALE: 'Stale file handle',
  ETIMEDOUT: 'Operation timed out',
  ETXTBSY: 'Text file busy',
  EXDEV: 'Cross-device link',
};

/** Undefined for an error that is not in the table. `errno` is positive. */
export function osErrorText(name: string, errno: number): string | undefined {
  const text = TEXT[name];
  return text === undefined ? undefined : withErrno(text, errno);
}

export function withErrno(text: string, errno: number): string {
  return `${text} (os error ${errno})`;
}

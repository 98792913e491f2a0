// What the pure-Node path does not keep. `exec-server doctor` prints these sentences.

export const PORTABLE_WEAKNESSES: readonly string[] = [
  'When the server is killed with SIGKILL, its commands go on running.',
  'A descendant that starts a session of its own and loses its parent (a daemon) survives killTree.',
  'Landlock, seccomp, no_new_privs and resource limits are not available: a launch that asks for them is refused.',
  'stdin, stdout and stderr are sockets: a program that opens /dev/stdout by name fails (Linux: ENXIO).',
  'A terminal needs the package @codex/launcher-darwin (node-pty), which only macOS gets; there, a program that cannot be executed after all is an exit code of the shell (126, 127), and arg0 is refused.',
  'A command on a terminal passes through /bin/sh, which adds PWD (bash: also SHLVL and _) and drops variables whose names are no identifiers.',
  'Descriptors that the server itself was started with, and that do not close on exec, reach its commands.',
  'While terminals are open, their descriptor numbers are /dev/null in other commands instead of being closed.',
];

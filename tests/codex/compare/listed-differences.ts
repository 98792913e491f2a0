// Where our server deliberately gives a model something else than the real one. Everything that is not listed is equal.

export interface ListedDifference {
  readonly why: string;
  /** What stands in our output where the real server's has `real`. */
  readonly ours: string | RegExp;
  readonly real: string;
}

/** The real server says 1 whenever a signal ends a program on a terminal. */
export const signalOnTerminal = (signal: number): ListedDifference => ({
  why: 'the exit code of a program that a signal ends is 128 + n, on terminals too',
  ours: `xited with code ${128 + signal}`,
  real: 'xited with code 1',
});

/** For a command that says `ran anyway`. */
export const terminalNeedsItsFolder: ListedDifference = {
  why: 'a terminal whose working directory is missing is an error; the real server starts it in the home directory',
  ours: /^exec_command failed: .*No such file or directory.*$/s,
  real: [
    'Chunk ID: *',
    'Wall time: * seconds',
    'Process exited with code 0',
    'Original token count: 3',
    'Output:',
    'ran anyway\r\n',
  ].join('\n'),
};

export const sandboxedHandlerRuns: ListedDifference = {
  why: 'an interrupt reaches the command inside a sandbox: its handler runs and its exit code counts',
  ours: 'caught\n[exited with code 42]',
  real: '[exited with code 130]',
};

export const sandboxKeepsSigpipe: ListedDifference = {
  why: 'a command in a sandbox starts with SIGPIPE in its default state, as it does without one',
  ours: 'SigIgn:\t0000000000000000',
  real: 'SigIgn:\t0000000000001000',
};

export const snapshotKeepsLevel: ListedDifference = {
  why: 'a command with a shell snapshot is one shell, not two',
  ours: 'Output:\n1\n',
  real: 'Output:\n2\n',
};

export const snapshotKeepsLogin: ListedDifference = {
  why: 'the shell of a command with a snapshot is still a login shell',
  ours: /code 0([\s\S]*)login_shell( *\t)on/,
  real: 'code 1$1login_shell$2off',
};

export const snapshotKeepsLines: ListedDifference = {
  why: 'the lines of a command with a shell snapshot are numbered from 1',
  ours: 'line 1:',
  real: 'line 3:',
};

// Removes mount points and forbidden files after this process was killed. One small shell per process, started with the
// first mount point: it learns their names through a pipe and waits for the pipe to close. Where the shell is killed as
// well, the next sandbox over the same directory cleans up.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { HostPlace } from './mount-point-directory.js';
import { ownMark } from './mount-point-marks.js';

// A line is `<number> <kind><device>:<inode>/<name>/<directory>`, kept in a variable of that number: a list that is
// extended line by line would be copied each time. The shell goes to the directory, and whatever led it there, it
// acts only when that is the one of the line, by one name inside it: `rmdir` and `rm` follow no link there. It takes away
// a mark of this process, then the directory if it has the mode of a mount point and nothing in it (no mark either: this process
// may have been killed before it left one), and files that have no business where they
// are while a command runs (`<number> k`: it has ended, from now on they are allowed). The pause lets the sandboxes die first: they
// end with this process, and removing a mount point takes its mount away. `q`: nothing is in use, so there is nothing to do.
const script = `trap '' INT TERM HUP
count=0
while IFS= read -r line; do number=${'$'}{line%% *}; line=${'$'}{line#* }; case "$line" in
  q) exit;;
  k) unset "line_$number";;
  *) eval "line_$number=\\$line"; count=$number;;
esac; done
is() { [ "$(stat -c %d:%i "$1")" = "$id" ]; }
enter() { cd -P -- "$where" && is .; }
sleep 0.3
at=0
while [ "$at" -lt "$count" ]; do
  at=$((at + 1)); eval "line=\\${'$'}{line_$at-}"
  rest=${'$'}{line#?}; id=${'$'}{rest%%/*}; rest=${'$'}{rest#*/}; name=${'$'}{rest%%/*}; where=${'$'}{rest#*/}
  case "$line" in
    m*) enter && cd -P -- "./$name" && is .. && { rm -f -- "./$0" || rmdir -- "./$0"; }
      enter && case "$(stat -c %a "./$name")" in [1357][0-7][0145][0145]) rmdir -- "./$name";; esac;;
    f*) enter && rm -rf -- "./$name";;
  esac
done`;

export class CrashJanitor {
  #child: ChildProcess | undefined;
  /** The lines that the shell has, with their numbers. */
  readonly #known = new Map<string, number>();
  #lines = 0;
  readonly #forbidden = new Map<string, number>();
  #sandboxes = 0;
  #isClosing = false;

  begin(): void {
    if (this.#child === undefined) this.#startIfPossible();
  }

  /** A sandbox is about to use what it has watched here; `leave` when it is done. */
  enter(): void {
    this.#sandboxes += 1;
  }

  leave(): void {
    this.#sandboxes -= 1;
    this.#closeWhenIdle();
  }

  watchMountPoint(place: HostPlace): void {
    this.#watch(`m${describe(place)}`);
  }

  /** A name that must not exist, not even after a crash, until as many calls of `allow`. */
  watchForbidden(place: HostPlace): void {
    const line = describe(place);
    this.#forbidden.set(line, (this.#forbidden.get(line) ?? 0) + 1);
    this.#watch(`f${line}`);
  }

  allow(place: HostPlace): void {
    const line = describe(place);
    const left = (this.#forbidden.get(line) ?? 0) - 1;
    if (left > 0) {
      this.#forbidden.set(line, left);
      return;
    }
    this.#forbidden.delete(line);
    const number = this.#known.get(`f${line}`);
    if (number === undefined) return;
    this.#known.delete(`f${line}`);
    this.#child?.stdin?.write(`${number} k\n`);
  }

  /** Lets the shell go as soon as no sandbox is in use any more; the next one starts a new one. */
  close(): void {
    this.#isClosing = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (!this.#isClosing || this.#sandboxes > 0) return;
    this.#isClosing = false;
    this.#child?.stdin?.end('q\n');
    this.#forget();
  }

  #forget(): void {
    this.#child = undefined;
    this.#known.clear();
    this.#lines = 0;
  }

  #watch(line: string): void {
    // A line is the unit of the pipe; such a name is left to the next sandbox.
    if (this.#known.has(line) || line.includes('\n')) return;
    const child = this.#child ?? this.#startIfPossible();
    if (child === undefined) return;
    this.#lines += 1;
    this.#known.set(line, this.#lines);
    child.stdin?.write(`${this.#lines} ${line}\n`);
  }

  /** Short of descriptors not even the name of this process can be found out: then the next call tries again. */
  #startIfPossible(): ChildProcess | undefined {
    try {
      return this.#start(ownMark());
    } catch {
      return undefined;
    }
  }

  #start(mark: string): ChildProcess {
    const child = spawn('/bin/sh', ['-c', script, mark], {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = (): void => {
      if (this.#child === child) this.#forget();
    };
    child.on('error', forget);
    child.on('exit', forget);
    child.unref();
    // A pipe to a child is a socket, and must not keep this process alive. Short of descriptors Node makes none at all:
    // then nothing is watched until the next call, which starts anew.
    const stdin = child.stdin as unknown as Socket | undefined;
    stdin?.on('error', () => undefined);
    stdin?.unref();
    this.#child = child;
    return child;
  }
}

function describe({ directory, name }: HostPlace): string {
  return `${directory.identity}/${name}/${directory.path}`;
}

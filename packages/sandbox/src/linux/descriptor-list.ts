// Collects the descriptors that a sandbox wrapper inherits, and hands out the numbers it sees them under.
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import type { InheritedFd } from '@codex/launcher';
import { SandboxError } from '../errors.js';
import { closeQuietly, openAnonymousFile } from './anonymous-file.js';

// Not among Node's constants; the same number on x64 and arm64.
const oPath = 0o10000000;
const firstNumber = 3;

export class DescriptorList {
  readonly #list: InheritedFd[] = [];
  readonly #outputs: number[] = [];
  readonly #paths: number[] = [];

  get list(): readonly InheritedFd[] {
    return this.#list;
  }

  /** The wrapper reads these bytes. */
  addData(data: Uint8Array): number {
    const as = firstNumber + this.#list.length;
    this.#list.push({ data, as });
    return as;
  }

  /** The wrapper writes here; read it back with `readAnonymousFile`. */
  addOutputFile(): { as: number; fd: number } {
    const fd = openAnonymousFile();
    this.#outputs.push(fd);
    return { as: this.#addOpen(fd), fd };
  }

  /**
   * A handle on exactly this path. Whoever swaps a directory for a link between the plan and the mount gets an
   * error: what is mounted is what was looked at.
   */
  addPath(path: string): number {
    let fd: number;
    try {
      fd = openSync(path, oPath | constants.O_NOFOLLOW);
    } catch (error) {
      throw new SandboxError('SANDBOX_PREPARE_FAILED', `cannot open ${path}`, { cause: error });
    }
    if (readlinkSync(`/proc/self/fd/${fd}`) !== path) {
      closeSync(fd);
      throw new SandboxError('SANDBOX_PREPARE_FAILED', `${path} was replaced while the sandbox was prepared`);
    }
    this.#paths.push(fd);
    return this.#addOpen(fd);
  }

  /** The wrapper has its own copies once it runs. */
  closePaths(): void {
    for (const fd of this.#paths.splice(0)) closeQuietly(fd);
  }

  close(): void {
    this.closePaths();
    for (const fd of this.#outputs.splice(0)) closeQuietly(fd);
  }

  #addOpen(fd: number): number {
    const as = firstNumber + this.#list.length;
    this.#list.push({ fd, as });
    return as;
  }
}

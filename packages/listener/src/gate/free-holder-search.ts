// Looks for a process that holds a socket and is not confined. One search at a time serves all connections that wait.

import { closeSync, constants, openSync } from 'node:fs';
import type { DescriptorTable, Viewer } from './descriptor-tables.js';
import { breathe } from './pacer.js';
import { isMoreConfined, type ProcessStatus } from './process-confinement.js';
import { failWhenShort, linkAt, namesIn, statusAt } from './process-entries.js';
import { SharedSearch, type Wanted } from './shared-search.js';

export type Tables = (viewer: Viewer, first: readonly number[]) => AsyncIterable<DescriptorTable>;

export interface SearchOptions {
  readonly tables: Tables;
  /** A search that lasts longer has found nothing. */
  readonly limitMs: number;
  /** A second opinion about a process that is more confined than this server. Default: it is not free. */
  readonly isFreeAnyway?: (process: ProcessStatus, own: ProcessStatus) => boolean;
}

const BROKER = /\/codex-escalation-broker(?: \(deleted\))?$/;
const REMEMBERED = 16;
/** From this many descriptors on it is cheaper to ask first whether a process is confined and decides nothing. */
const MANY = 16;

export class FreeHolderSearch {
  readonly #options: SearchOptions;
  /** By what a descriptor's link says. */
  readonly #shared = new SharedSearch<true>((wanted) => this.#search(wanted));
  /** The last holders that were found: clients come back. Only an order to look in. */
  #remembered: readonly number[] = [];

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  async find(inode: number): Promise<boolean> {
    return (await this.#shared.find(`socket:[${inode}]`)) === true;
  }

  async #search(wanted: Wanted<true>): Promise<void> {
    const status = statusAt('/proc/self/status');
    const uid = process.getuid?.();
    if (status === undefined || uid === undefined) return;
    const viewer = { uid, status };
    const ends = performance.now() + this.#options.limitMs;
    for await (const table of this.#options.tables(viewer, [...this.#remembered, process.ppid])) {
      await this.#look(table, viewer, wanted);
      if (wanted.isEmpty || performance.now() > ends) return;
      await breathe();
    }
  }

  async #look(table: DescriptorTable, viewer: Viewer, wanted: Wanted<true>): Promise<void> {
    let seen = 0;
    for await (const name of namesIn(`/proc/${table.pid}/${table.path}`)) {
      if (++seen === MANY && this.#isConfined(`/proc/${table.pid}`, viewer)) return;
      const link = linkAt(`/proc/${table.pid}/${table.path}/${name}`);
      if (link === undefined || !wanted.has(link)) continue;
      if (!this.#isFreeHolder(table, { name, link }, viewer)) continue;
      this.#remember(table.pid);
      wanted.settle(link, true);
      if (wanted.isEmpty) return;
    }
  }

  #remember(pid: number): void {
    this.#remembered = [pid, ...this.#remembered.filter((known) => known !== pid)].slice(0, REMEMBERED);
  }

  /**
   * Both facts about the same process, although its pid may be reused by now: the open directory stays with the
   * process. The descriptor first: a process that holds the socket and is free afterwards was free when it held it.
   */
  #isFreeHolder(
    { pid, path }: DescriptorTable,
    { name, link }: { readonly name: string; readonly link: string },
    viewer: Viewer,
  ): boolean {
    let directory: number;
    try {
      directory = openSync(`/proc/${pid}`, constants.O_RDONLY | constants.O_DIRECTORY);
    } catch (error) {
      failWhenShort(error);
      return false;
    }
    try {
      const process = `/proc/self/fd/${directory}`;
      const owner = path === 'fd' ? process : `${process}/${path.slice(0, -'/fd'.length)}`;
      if (linkAt(`${process}/${path}/${name}`) !== link) return false;
      return (
        !this.#isConfined(owner, viewer) &&
        !this.#isConfined(process, viewer) &&
        isOfUser(owner, viewer.uid) &&
        !isBroker(process)
      );
    } finally {
      closeSync(directory);
    }
  }

  #isConfined(process: string, { status }: Viewer): boolean {
    const other = statusAt(`${process}/status`);
    if (other === undefined) return true;
    return isMoreConfined(other, status) && this.#options.isFreeAnyway?.(other, status) !== true;
  }
}

/** Only the user and root may vouch for a socket of this user. */
function isOfUser(process: string, uid: number): boolean {
  return statusAt(`${process}/status`)?.uids.every((each) => each === uid || each === 0) ?? false;
}

/**
 * A broker of `@codex/escalation` stands outside and is sent descriptors from inside, which it holds for a moment. It is
 * never a client.
 */
function isBroker(process: string): boolean {
  return BROKER.test(linkAt(`${process}/exe`) ?? '');
}

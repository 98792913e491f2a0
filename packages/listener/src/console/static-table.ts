// The files of the page. A table made at build time says which there are: no path of a request ever reaches the disk.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpAnswer } from '../http-answer.js';
import { ListenError } from '../listen-error.js';

/** Written beside the files by the page's build. */
export const TABLE_FILE = 'files.json';

interface TableEntry {
  readonly type: string;
  /** The name holds a hash of the contents. */
  readonly immutable: boolean;
}

export class StaticTable {
  readonly #folder: string;
  readonly #entries: ReadonlyMap<string, TableEntry>;

  private constructor(folder: string, entries: ReadonlyMap<string, TableEntry>) {
    this.#folder = folder;
    this.#entries = entries;
  }

  static async read(folder: string): Promise<StaticTable> {
    try {
      const table = JSON.parse(await readFile(join(folder, TABLE_FILE), 'utf8')) as Record<
        string,
        TableEntry
      >;
      return new StaticTable(folder, new Map(Object.entries(table)));
    } catch (cause) {
      const message = `the console's page is not there: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new ListenError('LISTEN_CONSOLE_FILES', message, { details: { folder }, cause });
    }
  }

  /** `name` is what follows /console/; undefined when there is no such file. */
  async answer(name: string, acceptsBrotli: boolean): Promise<HttpAnswer | undefined> {
    const entry = this.#entries.get(name === '' ? 'index.html' : name);
    if (entry === undefined) return undefined;
    const file = name === '' ? 'index.html' : name;
    const body = await readFile(join(this.#folder, acceptsBrotli ? `${file}.br` : file));
    return {
      status: 200,
      body,
      headers: {
        'Content-Type': entry.type,
        Vary: 'Accept-Encoding',
        'Cache-Control': entry.immutable ? 'public, max-age=31536000, immutable' : 'no-store',
        ...(acceptsBrotli ? { 'Content-Encoding': 'br' } : {}),
      },
    };
  }
}

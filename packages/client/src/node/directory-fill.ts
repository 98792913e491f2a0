// A new directory, which gets its name when the small files that come with it are in it: under its name each of them is whole, also
// after a kill, and one name is given instead of one for each file.
// What it does not stop: an empty directory that another process puts there meanwhile is replaced.

import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { NewFile } from './create-file.js';
import { QuickDisk } from './quick-disk.js';
import { createSmallFile } from './small-files.js';

export interface FillPlaces {
  /** Where it goes. */
  readonly place: string;
  /** Beside it, a name that is nobody else's. */
  readonly partial: string;
}

export class DirectoryFill {
  /** Of the directory in its tree. */
  readonly path: string;
  readonly #places: FillPlaces;

  private constructor(path: string, places: FillPlaces) {
    this.path = path;
    this.#places = places;
  }

  /** Undefined: something stands there already, or it has to be made the long way. */
  static begin(path: string, places: FillPlaces, mode: number): DirectoryFill | undefined {
    return QuickDisk.runNow(() => {
      if (lstatSync(places.place, { throwIfNoEntry: false }) !== undefined) return undefined;
      mkdirSync(places.partial, { mode });
      return new DirectoryFill(path, places);
    });
  }

  /** False: it has to be written the long way, when the directory has its name. */
  add(name: string, file: NewFile): boolean {
    const place = `${this.#places.partial}/${name}`;
    const create = (): true => {
      createSmallFile(place, file);
      return true;
    };
    return QuickDisk.runNow(create) === true;
  }

  /** False: it has to be ended the long way. */
  endQuickly(): boolean {
    const { partial, place } = this.#places;
    const giveName = (): true => {
      renameSync(partial, place);
      return true;
    };
    return QuickDisk.runNow(giveName) === true;
  }

  end(): Promise<void> {
    return rename(this.#places.partial, this.#places.place);
  }

  remove(): Promise<void> {
    return rm(this.#places.partial, { recursive: true, force: true });
  }
}

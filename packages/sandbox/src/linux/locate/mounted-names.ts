// Under which names the host has the same folder or file: a bind mount shows a part of a file system a second time, and what is denied,
// or cannot be written, under one name can be read or written under the other.
//
// What it does not stop: layers of an overlay that are also mounted by themselves, and file systems that are served from a folder
// (FUSE, NFS of this host).
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const TABLE = '/proc/self/mountinfo';

interface Mount {
  readonly device: string;
  /** The folder of the file system that is shown, or the file. */
  readonly root: string;
  readonly place: string;
}

export class MountedNames {
  readonly #byPlace = new Map<string, Mount>();
  readonly #byDevice = new Map<string, Mount[]>();

  /** The text of /proc/self/mountinfo. */
  constructor(mountinfo: string) {
    for (const line of mountinfo.split('\n')) {
      const [, , device, root, place] = line.split(' ').map(unescaped);
      // The root of a namespace file, for one, is no path.
      if (device === undefined || !root?.startsWith('/') || place === undefined) continue;
      const mount = { device, root, place };
      this.#byPlace.set(place, mount); // of several at one place the last is seen
      const others = this.#byDevice.get(device);
      if (others === undefined) this.#byDevice.set(device, [mount]);
      else others.push(mount);
    }
  }

  /** The path itself, which has no links, and every other name of what is there. */
  of(path: string): readonly string[] {
    const mount = this.#mountOf(path);
    const mounts = mount === undefined ? undefined : this.#byDevice.get(mount.device);
    if (mount === undefined || mounts === undefined || mounts.length === 1) return [path];
    const inFileSystem = posix.join(mount.root, posix.relative(mount.place, path));
    const names = mounts.flatMap(({ root, place }) => {
      const rest = posix.relative(root, inFileSystem);
      return rest === '..' || rest.startsWith('../') ? [] : [posix.join(place, rest)];
    });
    return [...new Set([path, ...names])];
  }

  #mountOf(path: string): Mount | undefined {
    for (let at = path; ; at = posix.dirname(at)) {
      const mount = this.#byPlace.get(at);
      if (mount !== undefined || at === '/') return mount;
    }
  }
}

/** Spaces and the like are written as octal numbers. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** As it is now. Where a system has no such table, nothing is known of other names. */
export function readMountedNames(): MountedNames {
  return new MountedNames(existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : '');
}

// Everything that a sandbox changes on the host, and how it is undone: mount points for missing names, links that are put
// back, names that must not stay. Each is one name in a directory that is held from the preparation to the end. Should a
// path lead somewhere else by then, what is held is put right and nothing is touched where the path leads now.
import { parentPath } from '../../policy/path-text.js';
import { TimeSlices } from '../locate/time-slices.js';
import type { MountPlan } from '../mount-plan.js';
import { CrashJanitor } from './crash-janitor.js';
import { removeForbidden } from './forbidden-names.js';
import { checkLink, type HeldLink, restoreLinks } from './guarded-links.js';
import { HeldDirectories } from './held-directories.js';
import type { HeldDirectory } from './held-directory.js';
import type { HostPlace } from './mount-point-directory.js';
import { MountPointUses } from './mount-point-uses.js';
import { moveAwayPlanted } from './planted-names.js';

const batchSize = 16;
const directories = new HeldDirectories();
const mountPoints = new MountPointUses();
const janitor = new CrashJanitor();

/** Starts it ahead of the first change, which would wait for Node to fork. */
export function beginHousekeeping(): void {
  janitor.begin();
}

/**
 * Ends the helper shell that cleans up after a crash, as soon as no sandbox is in use. For a program, or a part of one,
 * that is done with sandboxes and wants no child left; it ends with the program in any case.
 */
export function endSandboxHousekeeping(): void {
  janitor.close();
}

export class HostChanges {
  readonly #held = new Map<string, HeldDirectory>();
  readonly #claimed: HostPlace[] = [];
  #links: readonly HeldLink[] = [];
  #forbidden: readonly HostPlace[] = [];
  #planted: readonly HostPlace[] = [];

  /** Makes what the plan needs. Rejects, with nothing left behind, when that fails. */
  static async make(plan: MountPlan): Promise<HostChanges> {
    const changes = new HostChanges();
    janitor.enter();
    try {
      await changes.#make(plan);
      return changes;
    } catch (error) {
      await changes.undo();
      throw error;
    }
  }

  /** Whether anything on the host is different until `undo`. */
  get isVisible(): boolean {
    return this.#held.size > 0;
  }

  /** Settles when the host is as it was, with what had to be put right. Never rejects. */
  async undo(): Promise<readonly string[]> {
    const said = [...restoreLinks(this.#links), ...moveAwayPlanted(this.#planted)];
    said.push(...(await removeForbidden(this.#forbidden)));
    for (const place of this.#forbidden) janitor.allow(place);
    const found: string[] = [];
    await inBatches(this.#claimed, async (places) => {
      found.push(...(await Promise.all(places.map((place) => mountPoints.release(place)))).flat());
    });
    for (const directory of this.#held.values()) directories.release(directory);
    this.#held.clear();
    janitor.leave();
    return [...said, ...found];
  }

  async #make(plan: MountPlan): Promise<void> {
    const links = plan.guardedLinks.map(({ path, target }) => ({ ...this.#place(path), target }));
    for (const link of links) checkLink(link);
    this.#links = links;
    this.#planted = plan.unclaimable.map((path) => this.#place(path));
    const forbidden = plan.removedAfterwards.map((path) => this.#place(path));
    for (const place of forbidden) janitor.watchForbidden(place);
    this.#forbidden = forbidden;
    const covered = plan.steps.filter((step) => step.type === 'coverMissing');
    await inBatches(covered, (steps) => this.#claim(steps.map(({ path }) => this.#place(path))));
  }

  async #claim(places: readonly HostPlace[]): Promise<void> {
    for (const place of places) janitor.watchMountPoint(place);
    const claims = await mountPoints.claimAll(places);
    this.#claimed.push(...places.filter((_, index) => claims[index]?.status === 'fulfilled'));
    const failed = claims.find((claim) => claim.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #place(path: string): HostPlace {
    const parent = parentPath(path);
    let directory = this.#held.get(parent);
    if (directory === undefined) {
      directory = directories.hold(parent);
      this.#held.set(parent, directory);
    }
    return { directory, name: path.slice(path.lastIndexOf('/') + 1) };
  }
}

/** Each place needs a descriptor while it is made or removed, and time of the event loop: a few at a time. */
async function inBatches<T>(items: readonly T[], act: (batch: readonly T[]) => Promise<void>): Promise<void> {
  const slices = new TimeSlices();
  for (let at = 0; at < items.length; at += batchSize) {
    if (slices.isOver) await slices.next();
    await act(items.slice(at, at + batchSize));
  }
}

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldDirectory } from './held-directory.js';
import { isMountPoint, ownMark } from './mount-point-marks.js';
import { MountPointUses } from './mount-point-uses.js';
import { describesLiveProcess, ownProcessLabel } from './process-label.js';
import { QuickDisk } from './quick-disk.js';

let base: string;
let path: string;
let place: { directory: HeldDirectory; name: string };
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'mount-points-'));
  path = `${base}/.git`;
  place = { directory: HeldDirectory.open(base), name: '.git' };
});
afterEach(() => place.directory.close());
afterEach(() => rmSync(base, { recursive: true, force: true }));
const recognised = (): boolean => isMountPoint(path, statSync(path).mode);
const dead = ownProcessLabel().replace(/-\d+$/, '-1');

/** What a slow disk leaves: the thread pool alone. */
class PausedDisk extends QuickDisk {
  override change(): boolean {
    return false;
  }
}

describe.each([
  ['made at once', () => new QuickDisk()],
  ['made on the thread pool', () => new PausedDisk()],
])('mount points on the host, %s', (_how, disk) => {
  it('exist from the first claim to the last release', async () => {
    const points = new MountPointUses(disk());
    await Promise.all([points.claim(place), points.claim(place)]);
    expect(recognised()).toBe(true);
    await points.release(place);
    expect(existsSync(path)).toBe(true);
    await points.release(place);
    expect(readdirSync(base)).toEqual([]);
  });

  it('of one command each have a mark, and go one by one', async () => {
    const points = new MountPointUses(disk());
    const places = ['.agents', '.codex', '.git'].map((name) => ({ directory: place.directory, name }));
    const open = readdirSync('/proc/self/fd').length;
    const claims = await points.claimAll(places);
    expect(claims.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    for (const { name } of places) {
      expect(readdirSync(`${base}/${name}`)).toEqual([ownMark()]);
      expect(lstatSync(`${base}/${name}/${ownMark()}`).isSymbolicLink()).toBe(true);
      expect(isMountPoint(`${base}/${name}`, statSync(`${base}/${name}`).mode)).toBe(true);
    }
    for (const [index, each] of places.entries()) {
      expect(await points.release(each)).toEqual([]);
      expect(readdirSync(base)).toEqual(places.slice(index + 1).map(({ name }) => name));
    }
    await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open);
  });

  it('survive claims and releases in any order', async () => {
    const points = new MountPointUses(disk());
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await points.claim(place);
        if (index % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
        expect(lstatSync(`${path}/${ownMark()}`).isSymbolicLink()).toBe(true);
        await points.release(place);
      }),
    );
    expect(readdirSync(base)).toEqual([]);
  });

  it('are made again when somebody has removed them', async () => {
    const points = new MountPointUses(disk());
    await points.claim(place);
    rmSync(path, { recursive: true });
    await Promise.all([points.claim(place), points.claim(place)]);
    expect(recognised()).toBe(true);
    for (let use = 0; use < 3; use += 1) await points.release(place);
    expect(readdirSync(base)).toEqual([]);
  });

  it('are refused while a file stands in their place', async () => {
    const points = new MountPointUses(disk());
    await points.claim(place);
    rmSync(path, { recursive: true });
    writeFileSync(path, 'gitdir: elsewhere');
    await expect(points.claim(place)).rejects.toMatchObject({ code: 'SANDBOX_PREPARE_FAILED' });
    await points.release(place);
    expect(lstatSync(path).isFile()).toBe(true);
  });

  it('of a dead process are taken over and removed', async () => {
    mkdirSync(`${path}/.codex-sandbox-mount-point-${dead}`, { recursive: true });
    chmodSync(path, 0o1755);
    expect(recognised()).toBe(true);
    const points = new MountPointUses(disk());
    await points.claim(place);
    await points.release(place);
    expect(readdirSync(base)).toEqual([]);
  });

  it('of a dead process that left a link are removed as well', async () => {
    mkdirSync(path);
    chmodSync(path, 0o1755);
    symlinkSync('in-use', `${path}/.codex-sandbox-mount-point-${dead}`);
    expect(recognised()).toBe(true);
    const points = new MountPointUses(disk());
    await points.claim(place);
    expect(readdirSync(path)).toHaveLength(2);
    await points.release(place);
    expect(readdirSync(base)).toEqual([]);
  });

  it('of another living process stay', async () => {
    const other = ownProcessLabel().replace(/^(\w+)-\d+/, '$1-1');
    expect(describesLiveProcess(other)).toBe(true);
    mkdirSync(`${path}/.codex-sandbox-mount-point-${other}`, { recursive: true });
    const points = new MountPointUses(disk());
    await points.claim(place);
    await points.release(place);
    expect(readdirSync(path)).toEqual([`.codex-sandbox-mount-point-${other}`]);
  });

  it('become ordinary directories when somebody has put something into them', async () => {
    const points = new MountPointUses(disk());
    await points.claim(place);
    mkdirSync(`${path}/.codex-sandbox-mount-point-${dead}`);
    writeFileSync(`${path}/HEAD`, '');
    await points.release(place);
    expect(readdirSync(path)).toEqual(['HEAD']);
    expect(statSync(path).mode & 0o7777).toBe(0o755);
  });

  it('stay recognisable for another living process, whatever is in them', async () => {
    const other = `.codex-sandbox-mount-point-${ownProcessLabel().replace(/^(\w+)-\d+/, '$1-1')}`;
    const points = new MountPointUses(disk());
    await points.claim(place);
    for (const name of [other, 'HEAD']) writeFileSync(`${path}/${name}`, '');
    await points.release(place);
    expect(readdirSync(path).sort()).toEqual([other, 'HEAD']);
    expect(statSync(path).mode & 0o7777).toBe(0o1755);
  });

  it('leave an empty directory of somebody else where it is', async () => {
    mkdirSync(path);
    const points = new MountPointUses(disk());
    await points.claim(place);
    expect(readdirSync(path)).toHaveLength(1);
    await points.release(place);
    expect(readdirSync(path)).toEqual([]);
  });

  it('are not confused with directories of the user', async () => {
    mkdirSync(path);
    expect(recognised()).toBe(false);
    chmodSync(path, 0o1777);
    expect(recognised()).toBe(false);
    chmodSync(path, 0o1755);
    writeFileSync(`${path}/HEAD`, '');
    expect(recognised()).toBe(false);
    const points = new MountPointUses(disk());
    await points.claim(place);
    await points.release(place);
    expect(readdirSync(path)).toEqual(['HEAD']);
  });
});

it('a process label tells the living from the dead', () => {
  expect(describesLiveProcess(ownProcessLabel())).toBe(true);
  expect(describesLiveProcess(dead)).toBe(false);
  expect(describesLiveProcess(ownProcessLabel().replace(/^\w{8}/, '00000000'))).toBe(false);
  expect(describesLiveProcess('nonsense')).toBe(false);
});

// Ways out of a file sandbox, each tried on the real thing: nothing outside is read or changed.
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  base64,
  fileHelper,
  policyOf,
  readEverything,
  readOnly,
  type SandboxFixture,
  setUpSandboxed,
  text,
  workspaceOnly,
} from './support/sandboxed-fs-fixture.js';

let fixture: SandboxFixture;
let sandbox: ReturnType<typeof workspaceOnly>;
const ws = (name: string) => join(fixture.ws, name);
const outside = (name: string) => join(fixture.outside, name);
const refused = (method: string, params: Record<string, unknown>, policy: object = sandbox) =>
  fixture.client.refusal(method, { ...params, sandbox: policy });
const call = (method: string, params: Record<string, unknown>, policy: object = sandbox) =>
  fixture.client.call(method, { ...params, sandbox: policy });

beforeEach(async () => {
  fixture = await setUpSandboxed();
  sandbox = workspaceOnly(fixture.ws);
  mkdirSync(outside('dir'));
  symlinkSync(fixture.outside, ws('link'));
});

const untouched = () => {
  expect(readdirSync(fixture.outside).sort()).toEqual(['dir', 'secret']);
  expect(readdirSync(outside('dir'))).toEqual([]);
  expect(readFileSync(outside('secret'), 'utf8')).toBe('secret');
};

describe('a directory that is a link out of the workspace', () => {
  it('leads nowhere for any method', async () => {
    const path = ws('link/secret');
    const dataBase64 = base64('planted');
    const attempts: [string, Record<string, unknown>][] = [
      ['fs/readFile', { path }],
      ['fs/open', { handleId: 'h', path }],
      ['fs/open', { handleId: 'w', path, mode: 'replace' }],
      ['fs/writeFile', { path, dataBase64 }],
      ['fs/writeFile', { path, dataBase64, atomic: true }],
      ['fs/writeFile', { path: ws('link/new'), dataBase64 }],
      ['fs/createDirectory', { path: ws('link/made'), recursive: true }],
      ['fs/createDirectory', { path: ws('link/dir/made'), recursive: false }],
      ['fs/getMetadata', { path }],
      ['fs/canonicalize', { path }],
      ['fs/readDirectory', { path: ws('link') }],
      ['fs/copy', { sourcePath: ws('inside'), destinationPath: ws('link/copied'), recursive: false }],
      ['fs/copy', { sourcePath: path, destinationPath: ws('stolen'), recursive: false }],
      ['fs/copy', { sourcePath: ws('link/dir'), destinationPath: ws('stolen'), recursive: true }],
      ['fs/rename', { sourcePath: ws('inside'), destinationPath: ws('link/moved') }],
      ['fs/rename', { sourcePath: path, destinationPath: ws('stolen') }],
      ['fs/remove', { path, recursive: false, force: false }],
      ['fs/remove', { path: ws('link/dir'), recursive: true, force: false }],
    ];
    for (const [method, params] of attempts) {
      const { code } = await refused(method, params);
      expect([method, code]).toEqual([method, expect.toBeOneOf([-32004, -32600, -32603])]);
    }
    untouched();
    expect(readdirSync(fixture.ws).sort()).toEqual(['inside', 'link']);
  });

  it('is not written through where everything may be read', async () => {
    const dataBase64 = base64('planted');
    const policy = readEverything(fixture.ws);
    const attempts: [string, Record<string, unknown>][] = [
      ['fs/writeFile', { path: ws('link/secret'), dataBase64 }],
      ['fs/writeFile', { path: ws('link/new'), dataBase64, atomic: true }],
      ['fs/open', { handleId: 'w', path: ws('link/secret'), mode: 'replace' }],
      ['fs/createDirectory', { path: ws('link/made'), recursive: true }],
      ['fs/copy', { sourcePath: ws('inside'), destinationPath: ws('link/copied'), recursive: false }],
      ['fs/rename', { sourcePath: ws('link/secret'), destinationPath: ws('stolen') }],
      ['fs/remove', { path: ws('link/secret') }],
      ['fs/remove', { path: ws('link/dir'), recursive: true }],
    ];
    for (const [method, params] of attempts) {
      expect([method, await refused(method, params, policy)]).toEqual([
        method,
        { code: -32603, message: 'Read-only file system (os error 30)' },
      ]);
    }
    untouched();
  });

  it('is not created through a link to a missing file', async () => {
    symlinkSync(outside('planted'), ws('dangling'));
    symlinkSync(ws('.codex'), ws('metadata'));
    const dataBase64 = base64('x');
    await refused('fs/writeFile', { path: ws('dangling'), dataBase64 });
    await refused('fs/writeFile', { path: ws('metadata'), dataBase64 });
    await refused('fs/copy', { sourcePath: ws('inside'), destinationPath: ws('dangling'), recursive: false });
    untouched();
    expect(readdirSync(fixture.ws)).not.toContain('.codex');
    symlinkSync('made', ws('harmless'));
    await call('fs/writeFile', { path: ws('harmless'), dataBase64 });
    expect(readFileSync(ws('made'), 'utf8')).toBe('x');
  });

  it('is folded away in a parent path', async () => {
    expect(await refused('fs/readFile', { path: `file://${fixture.ws}/link/../secret` })).toMatchObject({
      code: -32004,
    });
    untouched();
  });

  it('is copied and removed as the link it is', async () => {
    await call('fs/copy', { sourcePath: ws('link'), destinationPath: ws('second'), recursive: false });
    expect(readlinkSync(ws('second'))).toBe(fixture.outside);
    await call('fs/remove', { path: ws('second') });
    await call('fs/remove', { path: ws('link'), recursive: true });
    untouched();
    expect(readdirSync(fixture.ws)).toEqual(['inside']);
  });

  it('is refused in every component without following', async () => {
    const followSymlinks = false;
    symlinkSync('inside', ws('leaf'));
    for (const path of [ws('link/secret'), ws('leaf')]) {
      await refused('fs/readFile', { path, followSymlinks });
      await refused('fs/writeFile', { path, dataBase64: base64('x'), followSymlinks });
      await refused('fs/getMetadata', { path, followSymlinks });
      await refused('fs/createDirectory', { path: join(path, 'made'), recursive: true, followSymlinks });
      await refused('fs/remove', { path, recursive: false, followSymlinks });
    }
    expect(
      text((await call('fs/readFile', { path: ws('inside'), followSymlinks })) as { dataBase64: string }),
    ).toBe('inside');
    await call('fs/writeFile', { path: ws('plain'), dataBase64: base64('x'), followSymlinks });
    await call('fs/createDirectory', { path: ws('a/b'), recursive: true, followSymlinks });
    untouched();
  });
});

describe('what the helper itself needs or could see', () => {
  it('is not readable: the files beside it, its program, its libraries, links to them', async () => {
    const program = fileHelper().argv.find((word) => word.endsWith('.cjs')) ?? '';
    const credentials = join(dirname(program), 'credentials');
    expect(readFileSync(credentials, 'utf8')).toBe('secret');
    symlinkSync(credentials, ws('to-credentials'));
    symlinkSync(program, ws('to-program'));
    symlinkSync('/proc/self', ws('to-proc'));
    const paths = [
      credentials,
      program,
      process.execPath,
      ws('to-credentials'),
      ws('to-program'),
      '/lib64/ld-linux-x86-64.so.2',
    ];
    for (const path of [...paths, ws('to-proc/environ'), '/proc/self/maps', '/etc/passwd']) {
      expect([path, await refused('fs/readFile', { path })]).toEqual([
        path,
        expect.objectContaining({ code: -32004 }),
      ]);
      await refused('fs/open', { handleId: 'h', path });
      await refused('fs/copy', { sourcePath: path, destinationPath: ws('stolen'), recursive: false }).then(
        () => undefined,
        // A link is copied as a link, which gives nothing away.
        () => expect(readlinkSync(ws('stolen'))).toMatch(/^\//),
      );
    }
    expect(await refused('fs/readDirectory', { path: dirname(program) })).toMatchObject({ code: -32004 });
  });

  it('is its own process and nobody else where everything may be read', async () => {
    const policy = readOnly(fixture.ws);
    const own = await call('fs/readFile', { path: '/proc/self/environ' }, policy);
    expect(text(own as { dataBase64: string })).not.toMatch(/PATH|HOME|TOKEN/);
    expect(await refused('fs/readFile', { path: `/proc/${process.pid}/environ` }, policy)).toMatchObject({
      code: -32004,
    });
  });
});

describe('special files and second names', () => {
  it('does not wait at a FIFO', async () => {
    execFileSync('mkfifo', [ws('fifo')]);
    const notAFile = { code: -32600, message: `path \`${ws('fifo')}\` is not a file` };
    expect(await refused('fs/readFile', { path: ws('fifo') })).toEqual(notAFile);
    expect(await refused('fs/writeFile', { path: ws('fifo'), dataBase64: base64('x') })).toEqual(notAFile);
    expect(await refused('fs/open', { handleId: 'h', path: ws('fifo') })).toEqual(notAFile);
    await refused('fs/copy', { sourcePath: ws('fifo'), destinationPath: ws('copy'), recursive: false });
  });

  it('writes through a hard link that lies in the workspace, as documented', async () => {
    linkSync(outside('secret'), ws('hard'));
    await call('fs/writeFile', { path: ws('hard'), dataBase64: base64('changed') });
    expect(readFileSync(outside('secret'), 'utf8')).toBe('changed');
  });

  it('keeps the file of a stream when its path comes to name another one', async () => {
    await call('fs/open', { handleId: 'h', path: ws('inside') });
    renameSync(ws('inside'), ws('away'));
    writeFileSync(ws('inside'), 'another');
    expect(await fixture.client.call('fs/readBlock', { handleId: 'h', offset: 0, len: 6 })).toMatchObject({
      chunk: base64('inside'),
    });
    await fixture.client.call('fs/close', { handleId: 'h' });
  });
});

describe('a policy without grants', () => {
  it('reads nothing and does not grant its working directory', async () => {
    const nothing = policyOf(fixture.ws, []);
    expect(await refused('fs/readFile', { path: ws('inside') }, nothing)).toMatchObject({ code: -32004 });
    expect(
      await refused('fs/writeFile', { path: ws('inside'), dataBase64: base64('x') }, nothing),
    ).toMatchObject({
      code: -32004,
    });
    const roots = { type: 'special', value: { kind: 'project_roots' } };
    const project = {
      ...nothing,
      permissions: {
        type: 'managed',
        file_system: { type: 'restricted', entries: [{ path: roots, access: 'write' }] },
        network: 'restricted',
      },
    };
    expect(
      await refused('fs/readFile', { path: ws('inside') }, { ...project, workspaceRoots: [] }),
    ).toMatchObject({
      code: -32004,
    });
    const read = await call('fs/readFile', { path: ws('inside') }, project);
    expect(text(read as { dataBase64: string })).toBe('inside');
  });
});

// `followSymlinks: false`: no link in any component, also when one is put there in the middle of the request.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { base64, makeFifo, setUp } from './support/fs-fixture.js';

const noFollow = { followSymlinks: false };
const LOOP = { code: -32603, message: 'Symbolic link loop (os error 40)' };
const NOT_A_DIRECTORY = { code: -32603, message: 'Not a directory (os error 20)' };
const LINK = { code: -32600, message: 'path contains a symbolic link' };

/** Full counts run in the soak suite; a few thousand swaps catch a check that is apart from its use. */
const ROUNDS = process.env['SOAK'] === '1' ? 20_000 : 1500;

describe('without following links', () => {
  it('reads, writes, describes and makes what has no link in its path', async () => {
    const { client, at, uri } = await setUp();
    await client.call('fs/createDirectory', { path: at('a/b/c'), ...noFollow });
    await client.call('fs/createDirectory', { path: at('a/b/c'), ...noFollow });
    await client.write(uri('a/b/file'), 'text', noFollow);
    const { dataBase64 } = await client.call<{ dataBase64: string }>('fs/readFile', {
      path: at('a/b/file'),
      ...noFollow,
    });
    expect(dataBase64).toBe(base64('text'));
    expect(await client.call('fs/getMetadata', { path: at('a/b'), ...noFollow })).toMatchObject({
      isDirectory: true,
      isSymlink: false,
    });
    expect(await client.call('fs/getMetadata', { path: '/', ...noFollow })).toMatchObject({
      isDirectory: true,
    });
    await client.call('fs/remove', { path: at('a/b/file'), recursive: false, ...noFollow });
    await client.call('fs/remove', { path: at('a/b/c'), recursive: false, ...noFollow });
    expect(readdirSync(at('a/b'))).toEqual([]);
  });

  it('refuses a link as the last component', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'kept');
    mkdirSync(at('directory'));
    symlinkSync('file', at('link'));
    symlinkSync('directory', at('to-directory'));
    const path = at('link');
    const dataBase64 = base64('x');
    expect(await client.refusal('fs/readFile', { path, ...noFollow })).toEqual(LOOP);
    expect(await client.refusal('fs/writeFile', { path, dataBase64, ...noFollow })).toEqual(LOOP);
    expect(await client.refusal('fs/writeFile', { path, dataBase64, atomic: true, ...noFollow })).toEqual(
      LOOP,
    );
    expect(await client.refusal('fs/getMetadata', { path, ...noFollow })).toEqual(LINK);
    expect(await client.refusal('fs/remove', { path, recursive: false, ...noFollow })).toEqual(LINK);
    const directory = at('to-directory');
    expect(await client.refusal('fs/createDirectory', { path: directory, ...noFollow })).toEqual(
      NOT_A_DIRECTORY,
    );
    expect(readFileSync(at('file'), 'utf8')).toBe('kept');
  });

  it('refuses a link as any other component', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('real'));
    writeFileSync(at('real/file'), 'kept');
    symlinkSync('real', at('link'));
    const path = at('link/file');
    const dataBase64 = base64('x');
    expect(await client.refusal('fs/readFile', { path, ...noFollow })).toEqual(NOT_A_DIRECTORY);
    expect(await client.refusal('fs/writeFile', { path, dataBase64, ...noFollow })).toEqual(NOT_A_DIRECTORY);
    const atomic = { path, dataBase64, atomic: true, ...noFollow };
    expect(await client.refusal('fs/writeFile', atomic)).toEqual(NOT_A_DIRECTORY);
    expect(await client.refusal('fs/getMetadata', { path, ...noFollow })).toEqual(NOT_A_DIRECTORY);
    expect(await client.refusal('fs/remove', { path, recursive: false, ...noFollow })).toEqual(
      NOT_A_DIRECTORY,
    );
    expect(await client.refusal('fs/createDirectory', { path: at('link/new'), ...noFollow })).toEqual(
      NOT_A_DIRECTORY,
    );
    expect(readFileSync(at('real/file'), 'utf8')).toBe('kept');
    expect(readdirSync(at('real'))).toEqual(['file']);
  });

  it('refuses special files without waiting, and says what it does not do', async () => {
    const { client, at } = await setUp();
    makeFifo(at('fifo'));
    const refusal = await client.refusal('fs/readFile', { path: at('fifo'), ...noFollow });
    expect(refusal).toEqual({ code: -32600, message: 'path is not a regular file' });
    const dataBase64 = base64('x');
    expect((await client.refusal('fs/writeFile', { path: at('fifo'), dataBase64, ...noFollow })).code).toBe(
      -32600,
    );
    expect(await client.refusal('fs/writeFile', { path: '/', dataBase64, ...noFollow })).toEqual({
      code: -32600,
      message: 'path must name an entry',
    });
    expect(await client.refusal('fs/remove', { path: at('fifo'), ...noFollow })).toEqual({
      code: -32603,
      message: 'recursive no-follow removal is unsupported',
    });
  });
});

/** Keeps swapping `door` between a directory and a link to another one, until the test ends. */
function startSwapping(at: (name: string) => string): void {
  const program = `
    const fs = require('node:fs');
    const [door, spare, link] = process.argv.slice(1);
    for (;;) {
      fs.renameSync(door, spare); fs.renameSync(link, door);
      fs.renameSync(door, link); fs.renameSync(spare, door);
    }`;
  const swapper = spawn(process.execPath, ['-e', program, at('door'), at('spare'), at('link')], {
    stdio: 'ignore',
  });
  onTestFinished(() => void swapper.kill('SIGKILL'));
}

describe('against a component that is swapped for a link all the time', { timeout: 300_000 }, () => {
  async function raced() {
    const fixture = await setUp();
    const { at } = fixture;
    mkdirSync(at('outside'));
    mkdirSync(at('door'));
    writeFileSync(at('outside/file'), 'secret');
    writeFileSync(at('door/file'), 'inside');
    symlinkSync('outside', at('link'));
    // The test is worth something only when the door does lead outside at times.
    renameSync(at('door'), at('spare'));
    renameSync(at('link'), at('door'));
    expect(await fixture.client.read(at('door/file'))).toBe('secret');
    renameSync(at('door'), at('link'));
    renameSync(at('spare'), at('door'));
    startSwapping(at);
    return fixture;
  }

  it('never reads outside', async () => {
    const { client, at } = await raced();
    const outcomes = { inside: 0, secret: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { dataBase64 } = await client
        .call<{ dataBase64: string }>('fs/readFile', { path: at('door/file'), ...noFollow })
        .catch(() => ({ dataBase64: '' }));
      const text = Buffer.from(dataBase64, 'base64').toString();
      outcomes[text === '' ? 'refused' : (text as 'inside' | 'secret')] += 1;
    }
    expect(outcomes.secret).toBe(0);
    expect(outcomes.inside).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });

  it('is needed: with links followed the same race does read outside', async () => {
    const { client, at } = await raced();
    let secrets = 0;
    for (let round = 0; round < 20_000 && secrets === 0; round += 1) {
      if ((await client.read(at('door/file')).catch(() => '')) === 'secret') secrets += 1;
    }
    expect(secrets).toBe(1);
  });

  it('never writes, makes or removes anything outside', async () => {
    const { client, at } = await raced();
    const tolerate = (request: Promise<unknown>) => request.catch(() => undefined);
    for (let round = 0; round < ROUNDS / 3; round += 1) {
      const name = `door/${round % 7}`;
      await tolerate(client.write(at('door/file'), 'written', noFollow));
      await tolerate(client.write(at(name), 'new', { ...noFollow, atomic: round % 50 === 0 }));
      await tolerate(client.call('fs/createDirectory', { path: at(`${name}-directory/deep`), ...noFollow }));
      const victim = { path: at('door/file'), recursive: false, ...noFollow };
      if (round % 3 === 0) await tolerate(client.call('fs/remove', victim));
    }
    expect(readFileSync(at('outside/file'), 'utf8')).toBe('secret');
    expect(readdirSync(at('outside'))).toEqual(['file']);
  });

  it('never removes outside in a recursive removal, which follows no link below its start', async () => {
    const { client, at } = await setUp();
    mkdirSync(at('outside'));
    for (let index = 0; index < 50; index += 1) writeFileSync(at(`outside/${index}`), 'kept');
    const rounds = Math.ceil(ROUNDS / 50);
    for (let round = 0; round < rounds; round += 1) {
      mkdirSync(at('tree/door'), { recursive: true });
      for (let index = 0; index < 20; index += 1) writeFileSync(at(`tree/door/${index}`), 'gone');
      if (!existsSync(at('link'))) symlinkSync(at('outside'), at('link'));
      const removal = client.call('fs/remove', { path: at('tree') }).catch(() => undefined);
      // Anywhere between the listing of the parent and the opening of the child.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2));
      try {
        renameSync(at('tree/door'), at('moved'));
        renameSync(at('link'), at('tree/door'));
      } catch {
        // The removal was faster.
      }
      await removal;
      await client.call('fs/remove', { path: at('tree') });
      await client.call('fs/remove', { path: at('moved') });
    }
    expect(readdirSync(at('outside'))).toHaveLength(50);
  });
});

// Starts that succeed, and the surroundings the command finds.
import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verifies } from '../../runner/registry.js';
import {
  base64,
  nextProcessId,
  outputOfRun,
  shell,
  startParams,
  startScript,
  textOf,
  untilClosed,
} from './process-fixture.js';

verifies('process.start.reply', async (t) => {
  const connection = await t.open();
  const result = await connection.call('process/start', startParams('p', ['/bin/true']));
  assert.deepEqual(result, { processId: 'p', sandboxType: 'none' });
});

verifies('process.start.unknown-members', async (t) => {
  const connection = await t.open();
  const extra = {
    x: 1,
    arg0: null,
    envPolicy: null,
    sandbox: null,
    metadata: { threadId: '0190f3a6-5a5e-7c3e-8c1e-4f9f3f1d2a10', toolCallId: 'call' },
  };
  assert.equal(await outputOfRun(connection, shell('echo fine'), extra), 'fine\n');
});

verifies('process.start.odd-ids', async (t) => {
  const connection = await t.open();
  for (const processId of ['', '__proto__', 'constructor', 'a"b\n\u0000', 'ünï 🙂', 'x'.repeat(1_000)]) {
    await startScript(connection, 'echo ok', { processId });
    await untilClosed(connection, processId);
    assert.equal(textOf(connection, processId), 'ok\n');
  }
});

verifies('process.start.cwd', async (t) => {
  const connection = await t.open();
  const directory = join(await t.scratch(), 'sp ace %41 ü #?');
  await mkdir(directory);
  const cwd = pathToFileURL(directory).href;
  assert.equal(await outputOfRun(connection, ['/bin/pwd'], { cwd }), `${directory}\n`);
  assert.equal(
    await outputOfRun(connection, ['/bin/pwd'], { cwd: cwd.replace('file://', 'file://localhost') }),
    `${directory}\n`,
  );
});

verifies('process.start.cwd-path', async (t) => {
  const connection = await t.open();
  const directory = join(await t.scratch(), 'sp ace %41');
  await mkdir(directory);
  assert.equal(await outputOfRun(connection, ['/bin/pwd'], { cwd: directory }), `${directory}\n`);
});

verifies('process.start.environment', async (t) => {
  const connection = await t.open();
  const env = { ONE: '1', EMPTY: '', 'odd.name': 'ü = "x"\ttab' };
  const output = await outputOfRun(connection, ['/usr/bin/env'], { env });
  const lines = output.split('\n').filter((line) => line !== '');
  assert.deepEqual(
    lines.sort(),
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
  );
});

verifies('process.start.path-of-child', async (t) => {
  const connection = await t.open();
  const directory = await t.scratch();
  await writeFile(join(directory, 'only-here'), '#!/bin/sh\necho found\n');
  await chmod(join(directory, 'only-here'), 0o755);
  assert.equal(await outputOfRun(connection, ['only-here'], { env: { PATH: directory } }), 'found\n');
});

verifies('process.start.arg0', async (t) => {
  const connection = await t.open();
  assert.equal(await outputOfRun(connection, ['/bin/sh', '-c', 'echo $0'], { arg0: 'my-name' }), 'my-name\n');
});

verifies('process.start.arg0-pty', async (t) => {
  const connection = await t.open();
  const output = await outputOfRun(connection, ['/bin/sh', '-c', 'echo $0'], { arg0: 'my-name', tty: true });
  assert.equal(output, 'my-name\r\n');
});

verifies('process.start.stdin-closed', async (t) => {
  const connection = await t.open();
  assert.equal(await outputOfRun(connection, shell('cat; echo end')), 'end\n');
  assert.equal(await outputOfRun(connection, shell('cat; echo end'), { pipeStdin: false }), 'end\n');
});

verifies('process.start.pipes', async (t) => {
  const connection = await t.open();
  const script = 'for fd in 0 1 2; do test -t $fd && echo tty || echo no; done';
  assert.equal(await outputOfRun(connection, shell(script)), 'no\nno\nno\n');
  assert.equal(
    await outputOfRun(connection, shell('test -t 0 && echo tty || echo no'), { pipeStdin: true }),
    'no\n',
  );
});

verifies('process.start.without-tty', async (t) => {
  const connection = await t.open();
  const { tty: _omitted, ...params } = startParams('p', shell('test -t 1 && echo tty || echo no'));
  await connection.call('process/start', params);
  await untilClosed(connection, 'p');
  assert.equal(textOf(connection, 'p'), 'no\n');
});

verifies('process.start.tty', async (t) => {
  const connection = await t.open();
  const script = 'for fd in 0 1 2; do test -t $fd && echo tty || echo no; done; stty size';
  assert.equal(await outputOfRun(connection, shell(script), { tty: true }), 'tty\r\ntty\r\ntty\r\n24 80\r\n');
});

verifies('process.start.controlling-terminal', async (t) => {
  const connection = await t.open();
  const script = '(: </dev/tty) 2>/dev/null && echo has || echo none';
  assert.equal(await outputOfRun(connection, shell(script), { tty: true }), 'has\r\n');
  assert.equal(await outputOfRun(connection, shell(script)), 'none\n');
});

verifies('process.start.own-session', async (t) => {
  const connection = await t.open();
  const script = 'read pid comm state ppid group session rest </proc/$$/stat; echo $pid $group $session';
  for (const tty of [false, true]) {
    const [pid, group, session] = (await outputOfRun(connection, shell(script), { tty })).trim().split(' ');
    assert.deepEqual([group, session], [pid, pid], `tty ${tty}`);
  }
});

verifies('process.start.no-stray-descriptors', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    // The fourth is the directory that ls itself reads.
    const output = await outputOfRun(connection, ['/bin/ls', '-x', '/proc/self/fd'], { tty });
    assert.deepEqual(output.trim().split(/\s+/), ['0', '1', '2', '3'], `tty ${tty}`);
  }
});

verifies('process.start.signals-reset', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const output = await outputOfRun(connection, ['/bin/grep', '-E', '^Sig(Blk|Ign)', '/proc/self/status'], {
      tty,
    });
    assert.deepEqual(
      output.match(/[0-9a-f]{16}/g),
      ['0'.repeat(16), '0'.repeat(16)],
      `tty ${tty}: ${output}`,
    );
  }
});

verifies('process.start.many-at-once', async (t) => {
  const connection = await t.open();
  const ids = Array.from({ length: 50 }, () => nextProcessId());
  for (const id of ids) connection.request('process/start', startParams(id, shell(`echo ${id}`)));
  for (const id of ids) {
    await untilClosed(connection, id, { longer: 2 });
    assert.equal(textOf(connection, id), `${id}\n`);
  }
});

verifies('process.start.sees-earlier-file', async (t) => {
  const connection = await t.open();
  const directory = await t.scratch();
  const data = 'x'.repeat(500_000);
  for (let round = 0; round < 5; round++) {
    const path = join(directory, `f${round}`);
    connection.request('fs/writeFile', { path: pathToFileURL(path).href, dataBase64: base64(data) });
    connection.request('process/start', startParams(`r${round}`, ['/usr/bin/wc', '-c', path]));
  }
  for (let round = 0; round < 5; round++) {
    await untilClosed(connection, `r${round}`);
    assert.match(textOf(connection, `r${round}`), /^500000 /);
  }
});

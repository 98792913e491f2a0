// What every runtime must do with the published client: connect with a token, run, write, read, reconnect, files. It is
// run beside the installed package with the server's address, a token and a folder; a line "cut" on its stdout asks for
// the connection to be broken.
import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { ExecServerClient, ExecServerError } from '@codex/exec-client';

const [url, token, folder] = process.argv.slice(2);

const refused = await ExecServerClient.connect(url, { token: 'wrong' }).catch((error) => error);
assert(refused instanceof ExecServerError, String(refused));
assert.equal(refused.name, 'ExecServerError');
assert.equal(refused.code, 'transport.connect');
const nobody = await ExecServerClient.connect('ws://127.0.0.1:9').catch((error) => error);
assert.equal(nobody.code, 'transport.connect', String(nobody));

const events = [];
const client = await ExecServerClient.connect(url, { token, onEvent: ({ type }) => events.push(type) });

const result = await client.run('head -c 3000000 /dev/zero | tr "\\0" x; echo é; echo oops >&2; exit 3');
assert.deepEqual([result.exitCode, result.stdout.totalBytes, result.stderr.text], [3, 3_000_003, 'oops\n']);
assert(JSON.stringify(result).includes('oops'));

const cat = await client.spawn(['cat'], { stdin: 'pipe' });
await cat.stdin.write('typed\n');
await cat.stdin.end();
assert.equal((await cat.result()).stdout.text, 'typed\n');

const { outcome } = await client.run(['sleep', '60'], { timeoutMs: 100, stop: { graceMs: 200 } });
assert.equal(outcome.kind, 'timedOut');

const counting = await client.spawn('for i in $(seq 30); do echo $i; sleep 0.05; done');
process.stdout.write('cut\n');
assert.equal((await counting.result()).stdout.lines.length, 30);
assert.deepEqual(events, ['connected', 'reconnecting', 'reconnected']);

const bytes = new Uint8Array(2_500_000).fill(7);
await client.fs.write(`${folder}/remote/large`, bytes, { parents: true });
const back = await client.fs.readBytes(`${folder}/remote/large`);
assert(back.length === bytes.length && back.every((byte) => byte === 7));
mkdirSync(`${folder}/local`);
writeFileSync(`${folder}/local/note`, 'hello');
await client.fs.upload(`${folder}/local`, `${folder}/copy`);
assert.equal(await client.fs.readText(`${folder}/copy/note`), 'hello');

await client.close();
process.stdout.write('done\n');

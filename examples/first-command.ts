// A command, its result, and a failure that is a value.
import { ExecServerClient } from '@codex/exec-client';

const client = await ExecServerClient.connect(process.argv[2] ?? 'ws://127.0.0.1:7777');

const hello = await client.run(['echo', 'hello from the other side']);
console.log(hello.stdout.text.trim());

const failed = await client.run('echo oops >&2; exit 3');
console.log(failed.ok, failed.exitCode, failed.stderr.lines);

const slow = await client.run('echo started; sleep 60', { timeoutMs: 300, stop: { graceMs: 100 } });
console.log(slow.outcome.kind, slow.stdout.text.trim());

await client.close();

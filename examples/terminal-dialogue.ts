// A program that asks questions, on a real terminal.
import { ExecServerClient } from '@codex/exec-client';

const client = await ExecServerClient.connect(process.argv[2] ?? 'ws://127.0.0.1:7777');
const installer =
  'printf "Directory? "; read -r d; printf "Install into $d? [y/N] "; read -r a; echo "answer: $a"';

await using terminal = await client.spawn(installer, { tty: { rows: 24, cols: 80 } });
await terminal.waitFor('Directory? ', { timeoutMs: 5000 });
await terminal.stdin.write('/opt/tool\n');
await terminal.waitFor('[y/N] ', { timeoutMs: 5000 });
await terminal.stdin.write('y\n');
const { match } = await terminal.waitFor(/answer: (\w)/, { timeoutMs: 5000 });
console.log('it took', match[1]);
console.log((await terminal.wait()).kind);

await client.close();

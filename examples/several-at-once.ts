// Many commands on one connection: each has its own output, and one that hangs does not hold up the others.
import { ExecServerClient } from '@codex/exec-client';

const client = await ExecServerClient.connect(process.argv[2] ?? 'ws://127.0.0.1:7777');
await using _stuck = await client.spawn('sleep 600');

const numbers = Array.from({ length: 50 }, (_, index) => index);
const results = await Promise.all(numbers.map((n) => client.run(['expr', String(n), '*', String(n)])));
const sum = results.reduce((total, { stdout }) => total + Number(stdout.text), 0);
console.log(`${results.length} commands, sum of squares ${sum}`);

await client.close();

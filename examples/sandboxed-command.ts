// A command in a sandbox, what was denied and why, and the run without it after an approval. The policy is the
// caller's business: the server enforces it and reports.
import { ExecServerClient } from '@codex/exec-client';
import { readOnly } from '@codex/sandbox';

const client = await ExecServerClient.connect(process.argv[2] ?? 'ws://127.0.0.1:7777');
const command = 'echo hello > /var/tmp/exec-server-example && cat /var/tmp/exec-server-example';

const first = await client.run(command, { sandbox: readOnly(), cwd: '/' });
if (first.outcome.kind === 'denied') {
  const { denial } = first.outcome;
  console.log('denied:', denial?.reason, denial?.path);
  const isApproved = true; // ask a person here, and show them the line: denial?.line
  if (isApproved) console.log('approved:', (await client.run(command, { cwd: '/' })).stdout.text.trim());
}
await client.run(['rm', '-f', '/var/tmp/exec-server-example']);
await client.close();

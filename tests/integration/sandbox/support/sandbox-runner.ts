// A program that runs sandboxed commands on request, one JSON object per line, so that tests can do it as another user.
import { createInterface } from 'node:readline';
import { runSandboxed, SandboxError } from '@codex/sandbox';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, request } = JSON.parse(line);
  runSandboxed(request).then(
    (result) => reply({ id, result }),
    (error: unknown) =>
      reply({
        id,
        error: { code: error instanceof SandboxError ? error.code : 'OTHER', message: String(error) },
      }),
  );
});

function reply(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

// Runs commands under Landlock alone, as on a host without bubblewrap, one JSON object per line, so that tests can do it
// as another user. On a terminal what the command prints comes as `stdout`.
import { createInterface } from 'node:readline';
import { createLauncher } from '@codex/launcher';
import { prepareSandbox, probeLinuxHost, SandboxError, type SandboxRequest } from '@codex/sandbox';

const launcher = createLauncher();
const host = probeLinuxHost({ searchPath: '/nonexistent' });

async function run(request: SandboxRequest): Promise<{ exitCode: number | null; stdout: string }> {
  const prepared = await prepareSandbox(request, { host: await host });
  const { argv, cwd, env, inheritFds, restrict } = prepared;
  const launched = await launcher.launch({
    argv,
    cwd,
    env,
    inheritFds,
    io: request.terminal === true ? { type: 'pty', rows: 24, cols: 80 } : { type: 'pipe', stdin: 'closed' },
    ...(restrict === undefined ? {} : { restrict }),
  });
  let stdout = '';
  const ends = launched.outputs.map(
    (stream) =>
      new Promise<void>((resolve) =>
        stream.start((block) => {
          stdout += block.toString();
        }, resolve),
      ),
  );
  const { code } = await launched.exited;
  await Promise.all(ends);
  prepared.finish();
  launched.killTree();
  await launched.treeGone;
  return { exitCode: code, stdout };
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, request } = JSON.parse(line);
    run({ env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, ...request }).then(
      (result) => reply({ id, result }),
      (error: unknown) =>
        reply({
          id,
          error: { code: error instanceof SandboxError ? error.code : 'OTHER', message: String(error) },
        }),
    );
  })
  .on('close', () => launcher.close());

function reply(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

// Runs sandboxed commands under the launcher, one JSON object per line, so that tests can do it as another user. Of a terminal the output
// comes as `stdout`.
import { createInterface } from 'node:readline';
import { createLauncher } from '@codex/launcher';
import { launchSpec, prepareSandbox, SandboxError, type SandboxRequest } from '@codex/sandbox';

export interface LaunchedEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lostMount?: string;
  readonly stdout: string;
  readonly startedAhead: boolean;
}

const launcher = createLauncher();

async function run(request: SandboxRequest): Promise<LaunchedEnd> {
  const prepared = await prepareSandbox({ dieWithParent: false, ...request });
  const io =
    request.terminal === true
      ? ({ type: 'pty', rows: 24, cols: 80 } as const)
      : ({ type: 'pipe', stdin: 'closed' } as const);
  const launched = await launcher.launch(launchSpec(prepared, { io }));
  prepared.started({ pid: launched.pid });
  let stdout = '';
  const ends = launched.outputs.map(
    (stream) =>
      new Promise<void>((resolve) =>
        stream.start((block) => {
          stdout = (stdout + block.toString()).slice(-100_000);
        }, resolve),
      ),
  );
  const { code, signal, lostMount } = await launched.exited;
  await Promise.all(ends);
  await launched.treeGone;
  await prepared.finish().cleanup;
  const startedAhead = prepared.isAhead === true;
  return { code, signal, ...(lostMount === undefined ? {} : { lostMount }), stdout, startedAhead };
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

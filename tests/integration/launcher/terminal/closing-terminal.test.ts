import { createLauncher } from '@codex/launcher';
import { describe, expect, it } from 'vitest';

const ROUNDS = process.env['SOAK'] === undefined ? 40 : 2000;

describe('a command that closes its terminal before it exits', () => {
  it('keeps its own exit code', async () => {
    const launcher = createLauncher();
    const script = 'exec 0<&- 1>&- 2>&-; i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; exit 7';
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const process = await launcher.launch({
          argv: ['/bin/sh', '-c', script],
          cwd: '/',
          env: {},
          io: { type: 'pty', rows: 24, cols: 80 },
        });
        for (const output of process.outputs)
          output.start(
            () => undefined,
            () => undefined,
          );
        expect(await process.exited).toMatchObject({ code: 7, signal: null });
        await process.treeGone;
      }
    } finally {
      launcher.close();
    }
  });
});

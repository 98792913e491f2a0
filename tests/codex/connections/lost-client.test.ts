import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeWorkspace, playTurn } from '../cli/play-turn.js';
import { Dialogue } from '../model/dialogue.js';

/** Writes to a file for ever; a second process of it hides in a session of its own. */
const busy = {
  cmd: 'loop() { while :; do echo alive >> "$1"; sleep 0.1; done; }; export -f loop; setsid -f bash -c "loop hidden"; echo up; loop seen',
};

async function quietSince(file: string): Promise<boolean> {
  const { size } = statSync(file);
  await sleep(1_000);
  return statSync(file).size === size;
}

describe('a CLI that is killed in mid-turn', () => {
  it('leaves no command behind once its session has expired', async () => {
    const workspace = makeWorkspace();
    try {
      const files = ['seen', 'hidden'].map((name) => `${workspace.path}/${name}`);
      let quiet: boolean[] = [];
      const turn = playTurn(
        async (model, { codex }) => {
          await Dialogue.start(model, busy, 'up\n');
          while (!files.every((file) => existsSync(file))) await sleep(50);
          codex.kill('SIGKILL');
          await codex.ended;
          const before = files.map((file) => readFileSync(file, 'utf8').length);
          await sleep(500);
          // Within its time a session waits for its client, and its commands go on.
          expect(statSync(files[0] ?? '').size).toBeGreaterThan(before[0] ?? 0);
          await sleep(3_000);
          quiet = await Promise.all(files.map(quietSince));
        },
        { server: 'ours', workspace: workspace.path },
        { flags: ['--session-ttl-ms', '2000'] },
      );
      await expect(turn).rejects.toThrow('codex exec ended with SIGKILL');
      expect(quiet).toEqual([true, true]);
    } finally {
      workspace.remove();
    }
  });
});

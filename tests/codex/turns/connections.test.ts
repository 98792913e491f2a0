import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWorkspace, playTurn, type TurnScript } from '../cli/play-turn.js';
import { expectSameTurn } from '../compare/both-servers.js';
import { Dialogue, END } from '../model/dialogue.js';
import { redPixel } from './red-pixel.js';

const files = { 'a.txt': 'hi\n', 'AGENTS.md': 'Be brief.\n', 'p.png': redPixel };

/** A little of everything. */
const mixedTurn: TurnScript = async (model) => {
  expect(await model.exec('cat a.txt; pwd; env | sort')).toContain('hi\n');
  await model.patch('*** Begin Patch\n*** Update File: a.txt\n@@\n-hi\n+hello\n*** End Patch\n');
  await model.viewImage('p.png');
  const session = await Dialogue.start(model, { cmd: 'read -p "? " x; echo "<$x>"', tty: true }, '? ');
  expect(await session.send('yes\n', END)).toBe('yes\r\n<yes>\r\n[exited with code 0]');
  expect(await model.exec('seq 1 200000')).toContain('\n200000\n');
};

describe('over stdio', () => {
  it('a program entry of environments.toml starts the server', async () => {
    const { opening } = await expectSameTurn(mixedTurn, { files, stdio: true });
    expect(opening.join('\n')).toContain('Be brief.');
  });
});

describe('with a bearer token', () => {
  const token = 'a-capability-token-of-more-than-32-characters';

  async function withTokenFile(play: (flags: string[]) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'token-'));
    try {
      const file = join(folder, 'token');
      writeFileSync(file, token);
      chmodSync(file, 0o600);
      await play(['--ws-auth', 'capability-token', '--ws-token-file', file]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it('that environments.toml names, the CLI is let in', async () => {
    await withTokenFile(async (flags) => {
      const address = (url: string) => ({ via: 'url', url, bearerToken: token }) as const;
      await expectSameTurn(mixedTurn, { files, flags, address });
    });
  });

  it('that is wrong, no command runs', async () => {
    await withTokenFile(async (flags) => {
      const address = (url: string) => ({ via: 'url', url, bearerToken: 'wrong' }) as const;
      const turn = await expectSameTurn(
        async (model) => {
          expect(await model.exec('touch ran')).not.toContain('Process exited');
        },
        { flags, address },
      );
      expect(Object.keys(turn.workspace)).not.toContain('ran');
    });
  });
});

describe('without TLS on loopback', () => {
  it('the address may stand in environments.toml', async () => {
    const workspace = makeWorkspace();
    try {
      const turn = await playTurn(
        async (model) => {
          expect(await model.exec('echo here')).toContain('here\n');
        },
        { server: 'ours', workspace: workspace.path },
        { address: (url) => ({ via: 'url', url }) },
      );
      expect(turn.exchanges).toHaveLength(1);
    } finally {
      workspace.remove();
    }
  });
});

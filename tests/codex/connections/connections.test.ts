import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWorkspace, playTurn, type TurnScript } from '../cli/play-turn.js';
import { expectSameTurn } from '../compare/both-servers.js';
import { Dialogue, END } from '../model/dialogue.js';
import { redPixel } from '../turns/red-pixel.js';

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

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'codex-suite-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withCertificate(use: (files: { certificate: string; key: string }) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    // The CLI takes no certificate of an authority for that of a server.
    const extensions = ['subjectAltName=IP:127.0.0.1', 'basicConstraints=critical,CA:FALSE'];
    const subject = ['-subj', '/CN=localhost', ...extensions.flatMap((one) => ['-addext', one])];
    const output = ['-keyout', key, '-out', certificate, '-days', '1'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...output], {
      stdio: 'ignore',
    });
    await use({ certificate, key });
  });
}

describe('over stdio', () => {
  it('a program entry of environments.toml starts the server', async () => {
    const { opening } = await expectSameTurn(mixedTurn, { files, stdio: true });
    expect(opening.join('\n')).toContain('Be brief.');
  });
});

describe('with a bearer token', () => {
  const token = 'a-capability-token-of-more-than-32-characters';

  function withTokenFile(play: (flags: string[]) => Promise<void>): Promise<void> {
    return withFolder(async (folder) => {
      const file = join(folder, 'token');
      writeFileSync(file, token, { mode: 0o600 });
      await play(['--ws-auth', 'capability-token', '--ws-token-file', file]);
    });
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

describe('over TLS', () => {
  it('the CLI trusts what SSL_CERT_FILE names', async () => {
    await withCertificate(async ({ certificate, key }) => {
      const workspace = makeWorkspace();
      try {
        const turn = await playTurn(
          async (model) => {
            expect(await model.exec('echo here')).toContain('here\n');
          },
          { server: 'ours', workspace: workspace.path },
          {
            flags: ['--tls-cert', certificate, '--tls-key', key],
            cliEnv: { SSL_CERT_FILE: certificate },
            address: (url) => ({ via: 'url', url }),
          },
        );
        expect(turn.exchanges).toHaveLength(1);
      } finally {
        workspace.remove();
      }
    });
  });
});

describe('on another machine', () => {
  it('all of a turn happens there', async () => {
    const skill = '---\nname: demo\ndescription: a skill of that machine\n---\nDo it.\n';
    const { opening, workspace } = await expectSameTurn(
      async (model, turn) => {
        await mixedTurn(model, turn);
        expect(readdirSync(turn.workspace)).toEqual([]);
      },
      { files: { ...files, '.agents/skills/demo/SKILL.md': skill }, elsewhere: true },
    );
    expect(opening.join('\n')).toContain('Be brief.');
    expect(opening.join('\n')).toContain('a skill of that machine');
    expect(workspace['a.txt']).toBe(`file 644: ${btoa('hello\n')}`);
  });
});

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import {
  sandboxedHandlerRuns,
  sandboxKeepsSigpipe,
  signalOnTerminal,
} from '../compare/listed-differences.js';
import { Dialogue, END } from '../model/dialogue.js';
import { redPixel } from './red-pixel.js';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

describe('workspace-write', () => {
  const sandbox = 'workspace-write';
  let scratch: string;

  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'scratch-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  it('lets commands write to the workspace and the temporary folder, and nowhere else', async () => {
    const turn = await expectSameTurn(
      async (model) => {
        expect(await model.exec('echo two > b.txt; cat a.txt b.txt')).toContain('hi\ntwo\n');
        expect(await model.exec(`echo temporary > ${scratch}/x; cat ${scratch}/x`)).toContain('temporary\n');
        expect(await model.exec('touch /etc/outside-of-the-workspace')).not.toContain('code 0');
        // One stream: which of two is read first is not ours to decide.
        await model.exec('{ echo x > /etc/outside-of-the-workspace; echo y; } 2>&1');
        await model.exec('touch ../sibling');
        await model.exec('touch ~/outside-of-the-workspace');
        await model.exec('ln -s /etc link; touch link/outside-of-the-workspace');
        await model.exec('sleep 0.6; touch /etc/outside-of-the-workspace');
        await model.exec('head -c 5 /etc/passwd');
        await model.exec({ cmd: 'touch inside; ls', workdir: 'sub' });
      },
      { sandbox, files: { 'a.txt': 'hi\n', 'sub/x': '' } },
    );
    expect(turn.workspace['b.txt']).toBe(`file 644: ${btoa('two\n')}`);
    expect(existsSync('/etc/outside-of-the-workspace')).toBe(false);
  });

  it('protects the metadata of the repository and of agents', async () => {
    await expectSameTurn(
      async (model) => {
        expect(await model.exec('touch .git/hook')).not.toContain('Process exited with code 0');
        await model.exec('touch .agents/x');
        await model.exec('mkdir .codex');
        await model.exec('mv .git elsewhere');
        await model.exec('rm -r .git; ls -a');
      },
      { sandbox, files: { '.git/config': '', '.agents/skills/demo/SKILL.md': 'none' } },
    );
  });

  it('lets no command into the network', async () => {
    await expectSameTurn(
      async (model) => {
        await model.exec('exec 3<>/dev/tcp/127.0.0.1/9');
        await model.exec('cat /proc/net/dev | tail -n +3 | cut -d: -f1');
        await model.exec('env | sort');
        await model.exec("grep -E '^(SigB|SigI|SigC|NoNew|Seccomp:)' /proc/self/status");
      },
      { sandbox, differences: [sandboxKeepsSigpipe] },
    );
  });

  it('widens and narrows with the configuration', async () => {
    await expectSameTurn(
      async (model) => {
        await model.exec('cat /proc/net/dev | tail -n +3 | wc -l; env | grep NETWORK');
        await model.exec('exec 3<>/dev/tcp/127.0.0.1/9');
        await model.exec(`touch ${scratch}/narrow`);
        await model.exec('touch /var/tmp/exec-server-wide && rm /var/tmp/exec-server-wide && echo wide');
      },
      {
        sandbox,
        config: () => [
          '[sandbox_workspace_write]',
          'network_access = true',
          'exclude_slash_tmp = true',
          'exclude_tmpdir_env_var = true',
          'writable_roots = ["/var/tmp"]',
        ],
      },
    );
  });

  it('has sessions, terminals and interrupts', async () => {
    await expectSameTurn(
      async (model) => {
        const cmd = 'test -t 0 && stty size; read -p "name? " name; echo "hello $name" | tee greeting';
        const dialogue = await Dialogue.start(model, { cmd, tty: true }, 'name? ');
        expect(await dialogue.send('Ada\n', END)).toContain('hello Ada\r\n[exited with code 0]');
        const plain = await Dialogue.start(model, { cmd: 'echo up; exec sleep 60' }, 'up\n');
        await plain.send('\u0003', END);
        const handler = "trap 'echo caught; exit 42' INT; echo ready; while :; do sleep 0.1; done";
        const handled = await Dialogue.start(model, { cmd: handler }, 'ready\n');
        await handled.send('\u0003', END);
        const onTerminal = await Dialogue.start(model, { cmd: 'echo up; exec sleep 60', tty: true }, 'up');
        await onTerminal.send('\u0003', END);
        await model.exec('seq 1 200000');
        await model.exec('kill -9 $$');
      },
      { sandbox, differences: [sandboxedHandlerRuns, signalOnTerminal(2)] },
    );
  });

  it('holds patches and images to the same bounds', async () => {
    const turn = await expectSameTurn(
      async (model) => {
        await model.patch(
          patch('*** Update File: a.txt', '@@', '-hi', '+hello', '*** Add File: n/c.txt', '+c'),
        );
        await model.patch(patch('*** Add File: /etc/outside-of-the-workspace', '+x'));
        await model.patch(patch('*** Add File: ../outside.txt', '+x'));
        await model.patch(patch('*** Add File: .git/hook', '+x'));
        await model.patch(
          patch('*** Update File: link/passwd', '@@', '-root:x:0:0:root:/root:/bin/bash', '+x'),
        );
        await model.viewImage('p.png');
        await model.viewImage('missing.png');
        await model.exec('ls -R');
      },
      { sandbox, files: { 'a.txt': 'hi\n', 'p.png': redPixel } },
    );
    expect(turn.workspace['n/c.txt']).toBe(`file 644: ${btoa('c\n')}`);
    expect(existsSync('/etc/outside-of-the-workspace')).toBe(false);
  });
});

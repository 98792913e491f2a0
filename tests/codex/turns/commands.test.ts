import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';

describe('commands', () => {
  it('run in the workspace and report output and exit code', async () => {
    const turn = await expectSameTurn(
      async (model) => {
        const first = await model.exec('echo one; cat a.txt; echo two > b.txt; ls');
        expect(first).toContain('Process exited with code 0');
        expect(first).toContain('one\nhello\na.txt\nb.txt\n');
        expect(await model.exec('echo problem >&2; exit 3')).toContain('Process exited with code 3');
        expect(await model.exec('no-such-command')).toContain('Process exited with code 127');
        expect(await model.exec('kill -9 $$')).toContain('Process exited with code 137');
        expect(await model.exec({ cmd: 'pwd', workdir: 'sub' })).toContain('/workspace/sub\n');
        expect(await model.exec({ cmd: 'pwd', workdir: 'missing' })).toContain('No such file or directory');
        expect(await model.exec({ cmd: 'pwd', workdir: 'a.txt' })).toContain('Not a directory');
      },
      { files: { 'a.txt': 'hello\n', 'sub/x': '' } },
    );
    expect(turn.workspace['b.txt']).toBe(`file 644: ${btoa('two\n')}`);
  });

  it('run side by side', async () => {
    await expectSameTurn(async (model) => {
      const commands = ['1', '2', '3', '4'].map((name) => `sleep 0.5; echo ${name}; exit ${name}`);
      const outputs = await model.execAll(commands);
      outputs.forEach((output, index) => {
        expect(output).toContain(`Process exited with code ${index + 1}`);
      });
    });
  });

  it('may be many at once', async () => {
    await expectSameTurn(async (model) => {
      const numbers = Array.from({ length: 24 }, (_, index) => index);
      const outputs = await model.execAll(numbers.map((n) => `seq ${n} 2000 | tail -n 3; exit ${n}`));
      for (const n of numbers) expect(outputs[n]).toContain(`Process exited with code ${n}\n`);
    });
  });

  it('find the same environment, limits, signal masks, descriptors and input', async () => {
    await expectSameTurn(async (model) => {
      expect(await model.exec('env | sort')).toContain('CODEX_CI=1\n');
      await model.exec('ulimit -a; umask; nice; id');
      await model.exec("grep -E '^(SigB|SigI|SigC|NoNew|Seccomp)' /proc/self/status");
      await model.exec('ls /proc/self/fd; cat; echo input has ended');
      await model.exec({ cmd: 'shopt -q login_shell && echo login || echo no login', login: false });
      await model.exec('shopt -q login_shell && echo login || echo no login');
    });
  });

  it('may print anything', async () => {
    await expectSameTurn(async (model) => {
      await model.exec(
        "printf 'caf\\303\\251 \\xf0\\x9f\\x98\\x80 \\377\\376 \\0 \\033[31mred\\033[0m\\r\\n'",
      );
      await model.exec('true');
      await model.exec("printf 'no newline at the end'");
      await model.exec('echo out; sleep 0.2; echo err >&2; sleep 0.2; echo out');
    });
  });

  it('may leave a child that holds their output, or one that lets go of it', async () => {
    await expectSameTurn(async (model) => {
      expect(await model.exec('(sleep 1; echo late) & echo early')).toContain('early\nlate\n');
      expect(await model.exec('(setsid sleep 2; touch survived) >/dev/null 2>&1 & echo started')).toContain(
        'started',
      );
      expect(await model.exec('sleep 3; ls survived')).toContain('Process exited with code 0');
    });
  });
});

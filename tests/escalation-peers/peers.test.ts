// Each side's wrapper and Bash with the other side's server.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ExecRequest, locatePrograms, patchedBashPath, type ShellChoice } from '@codex/escalation';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Harness } from '../integration/escalation/native-harness.js';
import { ShellServer, shellTool } from './shell-tool.js';

const PROGRAM = fileURLToPath(new URL('../../apps/codex/dist/codex.js', import.meta.url));
const theirs = shellTool();
const ours = { wrapper: locatePrograms().wrapper, bash: patchedBashPath() };
const harness = new Harness();
afterAll(() => harness.close());

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'peers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const COMMAND =
  'uname; whoami; echo $?; touch touched; sh -c \'exit 42\'; echo $?; sh -c \'printf "%s|" "$0" "$@"\' a "b c" "ü\\n"; echo; ' +
  'cd /usr && sh -c pwd; : | cat; ./nothing; echo $?';
/** Of what is missing, their Bash asks their wrapper, which has one exit code for whatever it cannot execute. */
const expectedOf = (wrapper: string, bash: string) => {
  const missing = wrapper === theirs.wrapper && bash === theirs.bash ? '1' : '127';
  return ['Linux', '1', '42', 'a|b c|ü\\n|', '/usr', missing];
};
const RULES = [
  'prefix_rule(["touch"])',
  'prefix_rule(["sh"])',
  'prefix_rule(["whoami"], decision="forbidden", justification="no names")',
].join('\n');

describe.each([
  ['our wrapper and our Bash', ours.wrapper, ours.bash],
  ['our wrapper and their Bash', ours.wrapper, theirs.bash],
  ['their wrapper and our Bash', theirs.wrapper, ours.bash],
  ['their wrapper and their Bash', theirs.wrapper, theirs.bash],
])('%s', (_name, wrapper, bash) => {
  const expected = expectedOf(wrapper, bash);
  const known = (output: string) => output.split('\n').filter((line) => expected.includes(line));

  it('work with the server of 0.97.0', async () => {
    const server = new ShellServer({ server: theirs.server, wrapper, bash }, RULES);
    try {
      await server.open();
      const { output } = await server.shell(COMMAND, folder);
      expect(known(output)).toEqual(expected);
      expect(output).toContain('Execution denied');
      expect(readFileSync(join(folder, 'touched'), 'utf8')).toBe('');
    } finally {
      server.close();
    }
  });

  it('work with our whole server', async () => {
    const serverArgs = [PROGRAM, 'exec-mcp-server'];
    const server = new ShellServer({ server: process.execPath, serverArgs, wrapper, bash }, RULES);
    try {
      await server.open({ type: 'read-only' });
      const { output } = await server.shell(COMMAND, folder);
      expect(known(output)).toEqual(expected);
      expect(output).toContain('Execution denied: forbidden by policy: no names');
      expect(readFileSync(join(folder, 'touched'), 'utf8')).toBe('');
    } finally {
      server.close();
    }
  });

  it('work with our broker', async () => {
    const shell: ShellChoice = {
      kind: 'patched',
      bash,
      environment: { BASH_EXEC_WRAPPER: wrapper },
      files: [],
      covers: [],
    };
    const result = await harness.run({
      shell,
      command: COMMAND,
      cwd: folder,
      decide: ({ argv }: ExecRequest) => {
        if (argv[0] === 'whoami') return { action: 'deny', reason: 'forbidden by policy' };
        const isAllowed = argv[0] === 'touch' || argv[0] === 'sh';
        return isAllowed ? { action: 'escalate', environment: { PATH: '/usr/bin:/bin' } } : { action: 'run' };
      },
    });
    expect(known(result.output)).toEqual(expected);
    expect(result.output).toContain('Execution denied: forbidden by policy');
    expect(result.events.filter(({ type }) => type === 'exited')).toHaveLength(4);
    expect(readFileSync(join(folder, 'touched'), 'utf8')).toBe('');
    // Their Bash asks about what is missing, too.
    const asked = result.requests.map(({ argv }) => argv[0]).filter((program) => program !== './nothing');
    expect(asked).toEqual(['uname', 'whoami', 'touch', 'sh', 'sh', 'sh', 'cat']);
  });
});

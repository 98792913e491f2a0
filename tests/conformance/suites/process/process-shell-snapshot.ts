// Login shells with a snapshot. Each check has a home of its own; its profile notes every time it runs.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from '../../client/conversation.js';
import type { JsonObject } from '../../client/message.js';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';
import { nextProcessId, PATH, startParams, textOf, untilClosed, untilExited } from './process-fixture.js';

const BASH = { name: 'bash', path: '/bin/bash' };
const snapshot = (more: JsonObject = {}): JsonObject => ({
  shellSnapshot: { scopeId: 'scope', shell: BASH, ...more },
});

class Home {
  readonly #path: string;
  readonly #connection: Conversation;

  constructor(path: string, connection: Conversation) {
    this.#path = path;
    this.#connection = connection;
  }

  static async withProfile(t: CheckContext, profile: string): Promise<Home> {
    const home = new Home(await t.scratch(), await t.open());
    home.writeProfile(profile);
    return home;
  }

  writeProfile(profile: string): void {
    writeFileSync(join(this.#path, '.bash_profile'), `echo >> ~/runs\n${profile}\n`);
  }

  get profileRuns(): number {
    return readFileSync(join(this.#path, 'runs'), 'utf8').length;
  }

  /** Everything the command wrote, and its exit code behind it. */
  async run(script: string, more: JsonObject = {}): Promise<string> {
    const processId = nextProcessId();
    const env = { PATH, HOME: this.#path, ...(more['env'] as JsonObject | undefined) };
    const params = startParams(processId, ['/bin/bash', '-lc', script], { ...snapshot(), ...more, env });
    await this.#connection.call('process/start', params);
    const { exitCode } = await untilExited(this.#connection, processId);
    await untilClosed(this.#connection, processId).catch(() => undefined);
    return `${textOf(this.#connection, processId)}${exitCode}`;
  }
}

verifies('process.shell-snapshot.refused', async (t) => {
  const connection = await t.open();
  const refusal = (argv: readonly string[], more: JsonObject) =>
    connection.refusal('process/start', startParams('p', argv, snapshot(more)));
  const scope = {
    code: -32602,
    message: 'shell snapshot scope must be non-empty and at most 256 bytes',
  };
  assert.deepEqual({ ...(await refusal(['/bin/bash', '-lc', ''], { scopeId: '' })) }, scope);
  assert.deepEqual({ ...(await refusal(['/bin/true'], { scopeId: 'é'.repeat(129) })) }, scope);
  const fish = { shell: { name: 'fish', path: '/bin/fish' } };
  const message = 'shell snapshots are unsupported for shell `fish`';
  assert.deepEqual({ ...(await refusal(['/bin/fish', '-lc', ''], fish)) }, { code: -32602, message });
  const missing = await connection.refusal(
    'process/start',
    startParams('p', ['/bin/true'], { shellSnapshot: { scopeId: 'x' } }),
  );
  assert.deepEqual({ ...missing }, { code: -32602, message: 'missing field `shell`' });
});

verifies('process.shell-snapshot.state', async (t) => {
  const home = await Home.withProfile(
    t,
    'echo noise; export A=$\'two\\nlines\'; f() { echo "f $1"; }; shopt -s expand_aliases; alias hi="echo hi"; set -o pipefail',
  );
  const script = 'echo "$A"; f 1; hi; false | true';
  assert.equal(await home.run(script), 'two\nlines\nf 1\nhi\n1');
  assert.equal(await home.run(script, { tty: true }), 'two\r\nlines\r\nf 1\r\nhi\r\n1');
  assert.equal(home.profileRuns, 1);
});

verifies('process.shell-snapshot.request-wins', async (t) => {
  const home = await Home.withProfile(t, 'export GIVEN=profile OTHER=profile');
  for (const value of ['one', 'two']) {
    assert.equal(await home.run('echo $GIVEN $OTHER', { env: { GIVEN: value } }), `${value} profile\n0`);
  }
});

verifies('process.shell-snapshot.policy', async (t) => {
  const home = await Home.withProfile(t, 'export MY_TOKEN=1 MY_NAME=2 OTHER=3');
  const policy = { inherit: 'core', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] };
  const seen = (more: JsonObject) =>
    home.run('echo "[$MY_TOKEN] [$MY_NAME] [$OTHER]"', { envPolicy: { ...policy, ...more } });
  assert.equal(await seen({}), '[] [2] [3]\n0');
  assert.equal(await seen({ ignoreDefaultExcludes: true, exclude: ['my_n*'] }), '[1] [] [3]\n0');
  assert.equal(await seen({ includeOnly: ['MY*'] }), '[] [2] []\n0');
});

verifies('process.shell-snapshot.other-commands', async (t) => {
  const home = await Home.withProfile(t, 'export A=1');
  const shell = { shell: { name: 'fish', path: '/bin/another' } };
  assert.equal(await home.run('echo $A; shopt -q login_shell', snapshot(shell)), '1\n0');
  assert.equal(home.profileRuns, 1);
});

verifies('process.shell-snapshot.failed-capture', async (t) => {
  const home = await Home.withProfile(t, 'echo bye; exit 7');
  assert.equal(await home.run('echo never'), 'bye\n7');
  assert.equal(await home.run('echo never'), 'bye\n7');
});

verifies('process.shell-snapshot.same-shell', async (t) => {
  const home = await Home.withProfile(
    t,
    'umask 027; cd /usr; plain=1; trap "echo bye" EXIT; set -e; unset REMOVED; export RESULT=1',
  );
  const script =
    'shopt -q login_shell && echo $SHLVL $LINENO; umask; pwd; echo $plain $RESULT; false; echo not reached';
  const seen = '1 1\n0027\n/usr\n1 1\nbye\n1';
  const plain = await home.run(script, { shellSnapshot: null });
  assert.equal(plain, seen);
  assert.equal(await home.run(script), seen);
  assert.equal(await home.run(script), seen);
});

verifies('process.shell-snapshot.changed-profile', async (t) => {
  const home = await Home.withProfile(t, 'export VALUE=old');
  assert.equal(await home.run('echo $VALUE'), 'old\n0');
  home.writeProfile('export VALUE=newer');
  assert.equal(await home.run('echo $VALUE'), 'newer\n0');
});

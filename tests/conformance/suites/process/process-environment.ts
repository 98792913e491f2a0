// Environment policies: what a command gets of the server's environment.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import { outputOfRun, startParams } from './process-fixture.js';

const CORE = [
  'PATH',
  'SHELL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'USER',
];

const POLICY = { inherit: 'none', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] };

verifies('process.environment.policy-fields', async (t) => {
  const connection = await t.open();
  for (const field of Object.keys(POLICY)) {
    const { [field as keyof typeof POLICY]: _omitted, ...envPolicy } = POLICY;
    const refusal = await connection.refusal('process/start', startParams('p', ['/bin/true'], { envPolicy }));
    assert.deepEqual({ ...refusal }, { code: -32602, message: `missing field \`${field}\`` });
  }
  const envPolicy = { ...POLICY, inherit: 'some' };
  const refusal = await connection.refusal('process/start', startParams('p', ['/bin/true'], { envPolicy }));
  assert.equal(refusal.code, -32602);
});

verifies('process.environment.inherit-none', async (t) => {
  const connection = await t.open();
  const environment = await environmentOf(connection, { set: { FROM_SET: '1' } }, { FROM_ENV: '2' });
  assert.deepEqual(environment, { FROM_SET: '1', FROM_ENV: '2' });
});

verifies('process.environment.inherit-core', async (t) => {
  const connection = await t.open();
  const environment = await environmentOf(connection, { inherit: 'core' });
  assert.ok('PATH' in environment, 'PATH is inherited');
  assert.deepEqual(
    Object.keys(environment).filter((name) => !CORE.includes(name.toUpperCase())),
    [],
  );
});

verifies('process.environment.inherit-all', async (t) => {
  const connection = await t.open();
  const environment = await environmentOf(connection, { inherit: 'all' });
  assert.equal(environment['EXEC_CONFORMANCE_PLAIN'], 'plain');
  assert.equal(environment['EXEC_CONFORMANCE_OTHER'], 'other');
  assert.ok('PATH' in environment);
});

verifies('process.environment.default-excludes', async (t) => {
  const connection = await t.open();
  const secrets = ['EXEC_CONFORMANCE_API_KEY', 'exec_conformance_secret', 'EXEC_CONFORMANCE_TOKENS'];
  const filtered = await environmentOf(
    connection,
    { inherit: 'all', set: { SET_TOKEN: '1' } },
    { ENV_TOKEN: '2' },
  );
  assert.deepEqual(
    secrets.filter((name) => name in filtered),
    [],
  );
  assert.deepEqual(
    [filtered['SET_TOKEN'], filtered['ENV_TOKEN']],
    ['1', '2'],
    'what the client gives is kept',
  );
  const all = await environmentOf(connection, { inherit: 'all', ignoreDefaultExcludes: true });
  assert.deepEqual(
    secrets.filter((name) => name in all),
    secrets,
  );
});

verifies('process.environment.exclude', async (t) => {
  const connection = await t.open();
  const exclude = ['exec_conformance_PL?IN', '*_OTHER', 'CONFORMANCE'];
  const set = { EXEC_CONFORMANCE_OTHER: 'set' };
  const environment = await environmentOf(connection, { inherit: 'all', exclude, set }, { X_OTHER: 'env' });
  assert.equal('EXEC_CONFORMANCE_PLAIN' in environment, false, 'a `?` stands for one character');
  assert.equal(environment['EXEC_CONFORMANCE_OTHER'], 'set', '`set` comes after `exclude`');
  assert.equal(environment['X_OTHER'], 'env', '`env` is not filtered');
  const partial = await environmentOf(connection, {
    inherit: 'all',
    exclude: ['CONFORMANCE', 'EXEC_CONFORMANCE_PL?'],
  });
  assert.equal(partial['EXEC_CONFORMANCE_PLAIN'], 'plain', 'a pattern must match the whole name');
});

verifies('process.environment.include-only', async (t) => {
  const connection = await t.open();
  const policy = { set: { KEEP_A: '1', keep_b: '2', DROP: '3' }, includeOnly: ['KEEP_*'] };
  const environment = await environmentOf(connection, policy, { OVERLAY: '4' });
  assert.deepEqual(environment, { KEEP_A: '1', keep_b: '2', OVERLAY: '4' });
});

verifies('process.environment.overlay', async (t) => {
  const connection = await t.open();
  const set = { EXEC_CONFORMANCE_PLAIN: 'set', EXEC_CONFORMANCE_OTHER: 'set' };
  const environment = await environmentOf(
    connection,
    { inherit: 'all', set },
    { EXEC_CONFORMANCE_OTHER: 'env' },
  );
  assert.equal(environment['EXEC_CONFORMANCE_PLAIN'], 'set');
  assert.equal(environment['EXEC_CONFORMANCE_OTHER'], 'env');
});

verifies('process.environment.withheld', async (t) => {
  const connection = await t.open();
  const withheld = {
    NODE_REPL_AUTH_TOKEN: 'x',
    openai_federation_rule_id: 'x',
    CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN: 'x',
  };
  const isWithheld = (name: string) =>
    /^(NODE_REPL_AUTH_TOKEN|OPENAI_FEDERATION_RULE_ID|CODEX_EXEC_.*)$/i.test(name);
  const inherited = await environmentOf(connection, { inherit: 'all', ignoreDefaultExcludes: true });
  assert.deepEqual(Object.keys(inherited).filter(isWithheld), []);
  const given = await environmentOf(connection, { set: withheld }, withheld);
  assert.deepEqual(given, {});
  const output = await outputOfRun(connection, ['/usr/bin/env'], { env: { ...withheld, OTHER: '1' } });
  assert.equal(output, 'OTHER=1\n', 'without a policy too');
});

async function environmentOf(
  connection: Conversation,
  policy: JsonObject,
  env: JsonObject = {},
): Promise<Record<string, string>> {
  const output = await outputOfRun(connection, ['/usr/bin/env', '-0'], {
    env,
    envPolicy: { ...POLICY, ...policy },
  });
  const environment: Record<string, string> = {};
  for (const line of output.split('\u0000').filter((entry) => entry !== '')) {
    const equals = line.indexOf('=');
    environment[line.slice(0, equals)] = line.slice(equals + 1);
  }
  return environment;
}

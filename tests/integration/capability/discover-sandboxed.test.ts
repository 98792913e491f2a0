// `capabilityRoots/discoverV1` under a restriction: through the same helpers as every other file request.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CapabilityRoot } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { helperPids } from '../sandboxed-fs/support/helper-processes.js';
import {
  policyOf,
  type SandboxFixture,
  setUpSandboxed,
  workspaceOnly,
} from '../sandboxed-fs/support/sandboxed-fs-fixture.js';

function write(base: string, files: Record<string, string>): void {
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), contents);
  }
}

async function discover({ client }: SandboxFixture, roots: Record<string, object | undefined>) {
  const asked = Object.entries(roots).map(([path, sandbox]) => ({ id: path, path, sandbox }));
  const answer = await client.call<{ roots: CapabilityRoot[] }>('capabilityRoots/discoverV1', {
    roots: asked,
  });
  return answer.roots;
}

describe('capabilityRoots/discoverV1 in a sandbox', () => {
  it('answers as without one, from inside', async () => {
    const fixture = await setUpSandboxed();
    const { ws } = fixture;
    write(ws, {
      'p/.codex-plugin/plugin.json': '{"name":"p"}',
      'p/.mcp.json': '{"mcpServers":{}}',
      'p/skills/one/SKILL.md': 'one',
      'p/skills/one/agents/openai.yaml': 'interface: {}',
    });
    const root = join(ws, 'p');
    const [direct] = await discover(fixture, { [root]: undefined });
    expect(helperPids()).toHaveLength(0);
    const [sandboxed] = await discover(fixture, { [root]: workspaceOnly(ws) });
    expect(helperPids()).toHaveLength(1);
    expect(sandboxed).toEqual(direct);
    expect(sandboxed?.skills).toHaveLength(1);
  });

  it('tells nothing of what the policy hides, and each root has its own', async () => {
    const fixture = await setUpSandboxed();
    const { ws, outside } = fixture;
    write(outside, { 'skill/SKILL.md': 'stolen', 'plugin.json': 'stolen' });
    write(ws, {
      'p/.codex-plugin/plugin.json': '{"mcpServers":"./conf/link.json"}',
      'p/private/SKILL.md': 'stolen',
      'p/open/SKILL.md': 'open',
      'q/SKILL.md': 'q',
    });
    mkdirSync(join(ws, 'p/conf'));
    symlinkSync(join(outside, 'plugin.json'), join(ws, 'p/conf/link.json'));
    symlinkSync(join(outside, 'skill'), join(ws, 'p/link'));
    const sandbox = policyOf(ws, [
      [ws, 'read'],
      [join(ws, 'p/private'), 'deny'],
    ]);
    const [p, q, out] = await discover(fixture, {
      [join(ws, 'p')]: sandbox,
      [join(ws, 'q')]: policyOf(ws, [[join(ws, 'q'), 'read']]),
      [outside]: sandbox,
    });
    expect(p?.skills.map(({ instructions }) => instructions.contents)).toEqual(['open']);
    expect(p?.plugin).toMatchObject({ mcpConfig: null });
    expect(q?.skills.map(({ instructions }) => instructions.contents)).toEqual(['q']);
    expect(out?.error).toMatch(/^failed to inspect capability root .*No such file or directory/);
    expect(JSON.stringify([p, q, out])).not.toContain('stolen');
  });

  it('refuses the request when one policy makes no sense', async () => {
    const { client, ws } = await setUpSandboxed();
    const roots = [
      { id: 'a', path: ws },
      { id: 'b', path: ws, sandbox: { permissions: { type: 'managed' } } },
    ];
    expect((await client.refusal('capabilityRoots/discoverV1', { roots })).code).toBe(-32602);
  });
});

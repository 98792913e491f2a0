import { describe, expect, it } from 'vitest';
import { parseSkillMetadata } from './skill-metadata.js';

const none = { dependencies: null, policy: null };

describe('parseSkillMetadata', () => {
  it('reads tools and policy', () => {
    const text = `
interface: { display_name: X }
dependencies:
  tools:
    - { type: mcp, value: '  a  b ', description: d, transport: t, command: c, url: u, oauth: { callback_port: 99 } }
    - { type: '', value: dropped }
    - { value: dropped }
policy:
  allow_implicit_invocation: false
  products: [codex, CHATGPT]
`;
    const rest = { description: 'd', transport: 't', command: 'c', url: 'u', oauthCallbackPort: 99 };
    expect(parseSkillMetadata(text)).toEqual({
      dependencies: { tools: [{ type: 'mcp', value: 'a b', ...rest }] },
      policy: { allowImplicitInvocation: false, products: ['codex', 'chatgpt'] },
    });
  });

  it('has a policy where one is named, however empty', () => {
    expect(parseSkillMetadata('policy: {}').policy).toEqual({ allowImplicitInvocation: null, products: [] });
  });

  it.each([
    undefined,
    '',
    '- list',
    ': bad yaml [',
    'unknown: 1',
    'policy: null\ndependencies: null',
    'dependencies: { tools: [] }',
    'policy: { allow_implicit_invocation: "yes" }',
    'policy: { products: codex }',
    'policy: { products: [Codex] }',
    'policy: { products: [toString] }',
    'dependencies: { tools: [{ type: mcp, value: 5 }] }',
    'dependencies: { tools: [{ type: mcp, value: v, oauth: { callback_port: 70000 } }] }',
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\npolicy: { products: [${'*c,'.repeat(9)}] }`,
  ])('counts as none: %j', (text) => {
    expect(parseSkillMetadata(text)).toEqual(none);
  });
});

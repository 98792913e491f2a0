import { parse, stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { projectToml } from './toml-projection.js';

const DOCUMENT = `
f = 1.5e3
i = 9223372036854775807
d = 1979-05-27T07:32:00Z
__proto__.x = 1
[mcp_servers.a]
command = "x"
[mcp_servers.a.env]
K = "v"
[[list]]
z = 1
`;

const project = (...paths: string[][]) => {
  const found = projectToml(parse(DOCUMENT, { integersAsBigInt: true }), paths);
  return found && stringify(found, { numbersAsFloat: true }).trim();
};

describe('projectToml', () => {
  it('keeps what stands below a path', () => {
    expect(project(['mcp_servers', 'a', 'env'])).toBe('[mcp_servers.a.env]\nK = "v"');
  });

  it('joins paths that overlap, in any order', () => {
    const whole = project(['mcp_servers']);
    expect(whole).toContain('command = "x"');
    expect(project(['mcp_servers', 'a', 'env'], ['mcp_servers'])).toBe(whole);
    expect(project(['mcp_servers'], ['mcp_servers', 'a', 'env'])).toBe(whole);
  });

  it('keeps a float a float and an integer exact', () => {
    expect(project(['f'])).toBe('f = 1500.0');
    expect(project(['i'])).toBe('i = 9223372036854775807');
    expect(project(['d'])).toBe('d = 1979-05-27T07:32:00.000Z');
  });

  it('gives the value itself for a path that leads into one', () => {
    expect(project(['f', 'x'])).toBe('f = 1500.0');
    expect(project(['list', '0'])).toContain('z = 1');
  });

  it('finds nothing where nothing is', () => {
    expect(project(['nope'], ['mcp_servers', 'b'], ['toString'], ['constructor', 'name'])).toBeUndefined();
  });

  it('takes __proto__ for a key', () => {
    expect(project(['__proto__'])).toContain('x = 1');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { limitOverrides } from './limit-flags.js';
import { LIMIT_TABLES } from './limit-tables.js';
import { SERVER_SETTINGS } from './server-settings.js';
import { addSettingFlags, givenFlags } from './setting-options.js';

function parse(...args: string[]) {
  const command = new Command('x').exitOverride().configureOutput({ writeErr: () => undefined });
  addSettingFlags(command, SERVER_SETTINGS);
  command.parse(args, { from: 'user' });
  return limitOverrides(givenFlags(command, SERVER_SETTINGS));
}

describe('limit flags', () => {
  it('changes nothing when none is given', () => {
    expect(parse()).toEqual({});
  });

  it('puts a value where it belongs', () => {
    expect(
      parse('--max-connections', '3', '--retained-output-bytes', '10', '--no-allow-direct-exec'),
    ).toEqual({
      listener: { maxConnections: 3 },
      process: { retainedOutputBytes: 10, allowDirectExec: false },
    });
  });

  it('has a flag for every limit, each under a name of its own', () => {
    const names = Object.values(LIMIT_TABLES).flatMap(({ defaults }) => Object.keys(defaults));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const given = parse(...(name.startsWith('allow') ? [`--no-${flag}`] : [`--${flag}`, '12345']));
      expect(Object.values(given)).toEqual([{ [name]: name.startsWith('allow') ? false : 12_345 }]);
    }
  });

  it.each(['-1', '1.5', '1e3', 'many', ''])('refuses %j', (value) => {
    expect(() => parse('--max-sessions', value)).toThrow('expected a whole number');
  });
});

import { describe, expect, it } from 'vitest';
import { chooseFile } from './plugin-files.js';

describe('chooseFile', () => {
  it.each([undefined, null, 5, [], { a: 1 }])('takes the usual file for %j', (member) => {
    expect(chooseFile(member, '.app.json')).toEqual({ file: '.app.json' });
  });

  it('takes a file below the root', () => {
    expect(chooseFile('./conf/./m.json', '.mcp.json')).toEqual({ file: 'conf/m.json' });
  });

  it.each(['conf/m.json', '../m.json', '/etc/passwd', ''])('does not take %j', (member) => {
    expect(chooseFile(member, '.mcp.json')).toEqual({
      file: '.mcp.json',
      problem: 'path must start with `./`',
    });
  });

  it.each(['./', './.', './../m.json', './a/../../m.json', './a/..'])(
    'does not leave the root by %j',
    (member) => {
      expect(chooseFile(member, '.mcp.json')).toEqual({
        file: '.mcp.json',
        problem: 'path must remain below the capability root',
      });
    },
  );
});

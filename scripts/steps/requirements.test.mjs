import { describe, expect, it } from 'vitest';
import { checkNode, checkToolchain } from './requirements.mjs';

describe('what the machine must bring', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0'])('Node %s will do', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });

  it.each(['18.20.0', '20.18.9', '16.0.0'])('Node %s is too old, and the sentence says so', (version) => {
    expect(() => checkNode(version)).toThrow(`this needs Node 20.19 or newer, and this is Node ${version}`);
  });

  it('names the missing compiler and the command that installs it', () => {
    expect(() => checkToolchain('/nonexistent')).toThrow(/^cc is missing/);
    expect(() => checkToolchain('/nonexistent')).toThrow('apt-get install gcc libc6-dev');
  });
});

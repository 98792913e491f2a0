import { describe, expect, it } from 'vitest';
import type { Setting } from './setting.js';
import { settingsNamedIn } from './setting-options.js';

const listen: Setting = { name: 'listen', text: '', kind: 'text', placeholder: 'url' };
const quiet: Setting = { name: 'quiet', text: '', kind: 'switch', fallback: false };
const color: Setting = { name: 'color', text: '', kind: 'switch', fallback: true };
const maxSessions: Setting = { name: 'maxSessions', text: '', kind: 'integer', placeholder: 'count' };
const ALL = [listen, quiet, color, maxSessions];

describe('settingsNamedIn', () => {
  it.each([
    [[], []],
    [['--listen', 'ws://127.0.0.1:0'], [listen]],
    [
      ['--listen=stdio', '--quiet', '--config', 'file'],
      [listen, quiet],
    ],
    [
      ['--no-color', '--max-sessions', '9'],
      [color, maxSessions],
    ],
    // A word that commander has to judge: it is given everything it needs for that.
    [['--help'], ALL],
    [['--listen', 'stdio', '-h'], ALL],
    [['--lissten', 'stdio'], ALL],
    [['--color'], ALL],
    [['--max-sessions', '-1'], ALL],
    [['--', '--quiet'], ALL],
    [['-'], ALL],
  ])('%j', (words, named) => {
    expect(settingsNamedIn(words, ALL, ['--config'])).toEqual(named);
  });
});

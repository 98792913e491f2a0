import { describe, expect, it } from 'vitest';
import { Capabilities } from '../../capabilities.js';
import type { SpawnOptions } from '../../spawn-options.js';
import { DEFAULT_ENV_EXCLUDES } from './secret-variables.js';
import { startParams } from './start-params.js';

const info = { shell: { name: 'bash', path: '/bin/bash' }, cwd: 'file:///work%20here' };
const params = (options: SpawnOptions, flags = {}) =>
  startParams(['x'], options, { info, capabilities: new Capabilities({ ...info, capabilities: flags }) });

describe('the start request', () => {
  it('is the form that every server takes', () => {
    expect(params({ id: 'p' })).toEqual({
      processId: 'p',
      argv: ['x'],
      cwd: 'file:///work%20here',
      env: {},
      envPolicy: {
        inherit: 'all',
        ignoreDefaultExcludes: false,
        exclude: DEFAULT_ENV_EXCLUDES,
        set: {},
        includeOnly: [],
      },
      tty: false,
      pipeStdin: false,
      arg0: null,
    });
    expect(params({}).processId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('resolves directories from the server’s own', () => {
    expect(params({ cwd: 'sub/dir' }).cwd).toBe('file:///work%20here/sub/dir');
    expect(params({ cwd: '/a b' }).cwd).toBe('file:///a%20b');
    expect(params({ cwd: 'file:///x' }).cwd).toBe('file:///x');
  });

  it('adds and takes away variables', () => {
    const { env, envPolicy } = params({ env: { A: '1', B: undefined }, inheritEnv: 'core' });
    expect(env).toEqual({ A: '1' });
    expect(envPolicy).toMatchObject({ inherit: 'core', exclude: [...DEFAULT_ENV_EXCLUDES, 'B'] });
    expect(() => params({ env: { 'B*': undefined } })).toThrow(/cannot be the name/);
  });

  it('lets secrets through for those who ask', () => {
    const { envPolicy } = params({ inheritEnv: { ignoreDefaultExcludes: true, exclude: ['X'] } });
    expect(envPolicy).toMatchObject({ ignoreDefaultExcludes: true, exclude: ['X'] });
  });

  it('gives a terminal its name and, where the server can, its size', () => {
    expect(params({ tty: true })).toMatchObject({ tty: true, env: { TERM: 'xterm-256color' } });
    expect(params({ tty: true, env: { TERM: 'dumb' } }).env).toEqual({ TERM: 'dumb' });
    const size = { tty: { rows: 50, cols: 120 } };
    expect(() => params(size)).toThrow(/is not supported/);
    expect(params(size, { processStartIo: true })).toMatchObject({ tty: true, rows: 50, cols: 120 });
  });

  it('opens a pipe for input that is sent or written', () => {
    expect(params({ stdin: 'pipe' }).pipeStdin).toBe(true);
    expect(params({ stdin: { data: 'x' } }).pipeStdin).toBe(true);
    expect(params({ stdin: 'pipe', tty: true }).pipeStdin).toBe(false);
  });
});

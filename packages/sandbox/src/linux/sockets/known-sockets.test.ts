import { describe, expect, it } from 'vitest';
import { namedByVariable, patternsIn } from './known-sockets.js';

describe('the sockets that variables name', () => {
  it.each([
    ['SSH_AUTH_SOCK', '/tmp/agent', ['/tmp/agent']],
    ['DOCKER_HOST', 'unix:///run/user/1/docker.sock', ['/run/user/1/docker.sock']],
    ['DOCKER_HOST', 'tcp://127.0.0.1:2375', []],
    ['DBUS_SESSION_BUS_ADDRESS', 'unix:path=/tmp/bus,guid=1234', ['/tmp/bus']],
    ['DBUS_SESSION_BUS_ADDRESS', 'unix:abstract=/tmp/bus,guid=1234', []],
    ['TMUX', '/tmp/own/default,1234,0', ['/tmp/own/default']],
    ['KITTY_LISTEN_ON', 'unix:/tmp/kitty', ['/tmp/kitty']],
    ['WAYLAND_DISPLAY', '/tmp/wayland', ['/tmp/wayland']],
    ['PATH', '/usr/bin', []],
  ])('%s=%s', (name, value, expected) => {
    expect(namedByVariable({ [name]: value })).toEqual(expected);
  });

  it('a Wayland display stands in the runtime directory', () => {
    const environment = { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/7' };
    expect(namedByVariable(environment)).toEqual(['/run/user/7/wayland-0']);
  });
});

describe('the names in temporary directories', () => {
  const matches = (name: string): boolean =>
    patternsIn({ home: '/h', temporary: ['/tmp', '/tmp'] }).some(
      (pattern) => pattern.directory === '/tmp' && pattern.name.test(name),
    );
  it.each([
    'tmux-1000',
    'ssh-XyZ',
    'vscode-ipc-1.sock',
    'vscode-git-2.sock',
    'nvim.me',
    'emacs1000',
    'codex-daemon-0',
  ])('%s', (name) => expect(matches(name)).toBe(true));
  it.each(['my-tmux-notes', 'ssh', 'vscode-typescript1000', 'emacs-notes', 'build', 'dbus'])(
    'not %s',
    (name) => expect(matches(name)).toBe(false),
  );
});

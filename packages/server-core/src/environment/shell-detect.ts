// Finds the login shell that clients should run commands with: the user's own where it is one we know how to
// drive, otherwise the first that is installed.
import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import type { EnvironmentInfo } from '@codex/exec-protocol';

type Shell = EnvironmentInfo['shell'];

const KNOWN_SHELLS = ['zsh', 'bash', 'sh'] as const;
type KnownShell = (typeof KNOWN_SHELLS)[number];

const FALLBACKS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['/bin/zsh', '/bin/bash', '/bin/sh'],
  linux: ['/bin/bash', '/usr/bin/bash', '/bin/zsh', '/usr/bin/zsh', '/bin/sh'],
};

export interface ShellProbe {
  readonly platform: string;
  readonly loginShell: string | null;
  isExecutable(path: string): boolean;
}

export function detectShell(probe: ShellProbe = hostProbe()): Shell {
  const candidates = [probe.loginShell, ...(FALLBACKS[probe.platform] ?? [])];
  for (const path of candidates) {
    if (path === null) continue;
    const name = knownShellName(path);
    if (name !== undefined && probe.isExecutable(path)) return { name, path };
  }
  return { name: 'sh', path: '/bin/sh' };
}

function knownShellName(path: string): KnownShell | undefined {
  const name = basename(path);
  return KNOWN_SHELLS.find((known) => known === name);
}

function hostProbe(): ShellProbe {
  return { platform: process.platform, loginShell: loginShell(), isExecutable };
}

function loginShell(): string | null {
  try {
    return userInfo().shell;
  } catch {
    // A uid without a passwd entry is usual in containers.
    return null;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

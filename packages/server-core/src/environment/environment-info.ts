// Builds the description of this host for `initialize` and `environment/info`.
import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { type EnvironmentInfo, pathToFileUri } from '@codex/exec-protocol';
import { SPOKEN_VERSION } from '../version.js';
import type { Capabilities } from './capabilities.js';
import { detectShell } from './shell-detect.js';

export interface EnvironmentOptions {
  readonly version: string;
  readonly capabilities: Capabilities;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function describeEnvironment(options: EnvironmentOptions): EnvironmentInfo {
  const home = homedir();
  return {
    shell: detectShell(),
    executorVersion: `${SPOKEN_VERSION}+ts.${options.version}`,
    providerId: providerId(options.version),
    cwd: pathToFileUri(options.cwd),
    userHomeDir: isAbsolute(home) ? pathToFileUri(home) : null,
    platformOs: platformName(),
    prependPathDirs: [],
    temporaryDirectories: temporaryDirectories(options).map(pathToFileUri),
    tempDir: pathToFileUri(resolve(options.cwd, tmpdir())),
    capabilities: options.capabilities,
  };
}

function temporaryDirectories({ env, cwd }: EnvironmentOptions): string[] {
  const configured = env['TMPDIR'];
  return configured ? [resolve(cwd, configured)] : [];
}

/** An opaque, stable name of this implementation; it tells clients apart which executor build they speak to. */
function providerId(version: string): string {
  return `sha256:${createHash('sha256').update(`codex exec-server (TypeScript) ${version}`).digest('hex')}`;
}

function platformName(): string {
  return process.platform === 'darwin' ? 'macos' : process.platform;
}

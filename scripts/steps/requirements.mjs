// What a machine must bring along. Everything else is installed by the set-up itself.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StepError } from './run-command.mjs';

const OLDEST_NODE = [20, 19];

export function checkRequirements() {
  checkNode(process.versions.node);
  checkToolchain();
}

export function checkNode(version) {
  const [major, minor] = version.split('.').map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return;
  throw new StepError(
    `this needs Node ${OLDEST_NODE.join('.')} or newer, and this is Node ${version}: install a newer one and try again.`,
  );
}

export function checkToolchain(path = process.env.PATH ?? '') {
  const missing = ['cc', 'c++', 'make', 'python3'].filter((tool) => !isOnPath(tool, path));
  if (missing.length === 0) return;
  throw new StepError(
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. The launcher is compiled by cc, and node-pty by c++, make and python3.\n` +
      '  Debian, Ubuntu:  apt-get install build-essential python3\n' +
      '  macOS:           xcode-select --install',
  );
}

export function isOnPath(tool, path = process.env.PATH ?? '') {
  return path.split(delimiter).some((directory) => {
    try {
      accessSync(join(directory || '.', tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

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
  if (isOnPath('cc', path)) return;
  throw new StepError(
    'cc is missing: the launcher is compiled by a C compiler.\n' +
      '  Debian, Ubuntu:  apt-get install gcc libc6-dev\n' +
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

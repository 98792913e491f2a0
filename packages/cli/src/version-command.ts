// `exec-server version`: the version of this program and of the protocol it speaks.

import { SPOKEN_VERSION, VERSION } from '@codex/exec-server-core/defaults';
import { Command } from 'commander';
import { printJson, printText } from './print-text.js';

export function versionCommand(): Command {
  return new Command('version').option('--json', 'as JSON').action(({ json }: { json?: boolean }) => {
    if (json !== true) {
      printText(`${VERSION}\n`);
      return;
    }
    printJson({
      version: VERSION,
      speaks: `codex exec-server ${SPOKEN_VERSION}`,
      node: process.versions.node,
      platform: process.platform,
      arch: process.arch,
    });
  });
}

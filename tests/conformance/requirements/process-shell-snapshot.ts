// `shellSnapshot` of `process/start`: a login shell whose profile is run once for many commands.
import type { Requirement } from './requirement.js';

const source = 'exec-server 0.169.0';
const ours = 'this project: docs/differences.md';
const needs = ['shared-host', 'extension:shellSnapshotV2'] as const;

export const PROCESS_SHELL_SNAPSHOT = [
  {
    id: 'process.shell-snapshot.refused',
    source,
    needs: ['extension:shellSnapshotV2'],
    behaviour:
      'A scope that is empty or over 256 bytes is -32602, and so is a shell other than bash, zsh and sh where its `-lc` is run.',
  },
  {
    id: 'process.shell-snapshot.state',
    source,
    needs,
    behaviour:
      'Commands of a scope find variables, functions, aliases and options of the profile, which runs once and prints nothing.',
  },
  {
    id: 'process.shell-snapshot.request-wins',
    source,
    needs,
    behaviour: 'A variable of the request has the value of the request, for every command anew.',
  },
  {
    id: 'process.shell-snapshot.policy',
    source,
    needs,
    behaviour: 'Variables of the profile pass the `exclude` and `includeOnly` patterns of `envPolicy`.',
  },
  {
    id: 'process.shell-snapshot.other-commands',
    source,
    needs,
    behaviour: 'A command that is not the `-lc` of the named shell runs as it stands.',
  },
  {
    id: 'process.shell-snapshot.failed-capture',
    source,
    needs,
    behaviour: 'Where the profile ends the shell the command runs as it stands.',
  },
  {
    id: 'process.shell-snapshot.same-shell',
    source: ours,
    needs,
    behaviour:
      'The shell is what it is without a snapshot: a login shell of level 1, with the mask, the folder, the variables that are not exported, errexit and traps of the profile, and with lines numbered from 1.',
  },
  {
    id: 'process.shell-snapshot.changed-profile',
    source: ours,
    needs,
    behaviour: 'A profile that was changed is read anew.',
  },
] as const satisfies readonly Requirement[];

// What a server finds out about its machine for a client: capabilities, configuration, the end of an absence.
import type { Requirement } from './requirement.js';

const SOURCE = { source: 'exec-server 0.169.0' } as const;

export const DISCOVERY = [
  {
    ...SOURCE,
    needs: ['shared-host'],
    id: 'capability.discover.plugin',
    behaviour:
      'A root with a manifest is a plugin with its `.mcp.json` and `.app.json`, its skills and their metadata.',
  },
  {
    ...SOURCE,
    needs: ['shared-host'],
    id: 'capability.discover.manifest-priority',
    behaviour: 'Of several manifests `.codex-plugin` counts before `.claude-plugin` before `.cursor-plugin`.',
  },
  {
    ...SOURCE,
    needs: ['shared-host'],
    id: 'capability.discover.below-root',
    behaviour: 'A manifest cannot name a file outside of its root: it is left out with a warning.',
  },
  {
    ...SOURCE,
    needs: ['shared-host'],
    id: 'capability.discover.errors-per-root',
    behaviour: 'Roots are answered in order, each with its own error.',
  },
  {
    ...SOURCE,
    needs: ['shared-host'],
    id: 'capability.discover.root-limit',
    behaviour: 'More than 128 roots are -32600.',
  },
  {
    ...SOURCE,
    needs: ['shared-host', 'extension:environmentConfigRead'],
    id: 'environment-config.read.shape',
    behaviour:
      '`environmentConfig/read` answers with the Codex home and a stack of layers for config and requirements.',
  },
  {
    ...SOURCE,
    needs: ['shared-host', 'extension:environmentConfigRead'],
    id: 'environment-config.read.selectors',
    behaviour: 'No path at all, or an empty path, is -32602.',
  },
  {
    ...SOURCE,
    needs: ['shared-host', 'extension:fsWatchMissing'],
    id: 'fs.watch-missing.tells-once',
    behaviour: 'When a missing path appears, `fs/missingChanged` with its watchId is sent, once.',
  },
  {
    ...SOURCE,
    needs: ['shared-host', 'extension:fsWatchMissing'],
    id: 'fs.watch-missing.ancestor',
    behaviour: 'The appearance of a directory on the way to a missing path is told too.',
  },
  {
    ...SOURCE,
    needs: ['shared-host', 'extension:fsWatchMissing'],
    id: 'fs.watch-missing.present',
    behaviour: 'A change of the `present` entry is told.',
  },
  {
    ...SOURCE,
    needs: ['shared-host', 'extension:fsWatchMissing'],
    id: 'fs.watch-missing.not-watching',
    behaviour: 'A path that exists, no path, or more than 64 give `watching: false`.',
  },
  {
    ...SOURCE,
    needs: ['shared-host', 'extension:fsWatchMissing'],
    id: 'fs.watch-missing.replaced',
    behaviour: 'A watch with a higher id takes the place of the one before; one with a lower id is not set.',
  },
  {
    ...SOURCE,
    needs: ['extension:capabilityDiscoveryV2'],
    id: 'capability.installed.answer',
    behaviour: 'What is installed is answered as plugins, skills and warnings, with a sandbox and without.',
  },
  {
    ...SOURCE,
    needs: ['extension:capabilityDiscoveryV2'],
    id: 'capability.installed.missing-cwd',
    behaviour: 'A request without `cwd` is -32602.',
  },
] as const satisfies readonly Requirement[];

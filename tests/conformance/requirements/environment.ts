// What a server says about the machine it runs on.
import type { Requirement } from './requirement.js';

export const ENVIRONMENT = [
  {
    id: 'environment.status.ready',
    source: 'exec-server 0.169.0',
    behaviour: '`environment/status` answers `{status: "ready"}`.',
  },
  {
    id: 'environment.info.shell',
    source: 'exec-server 0.169.0',
    behaviour: '`environment/info` names a shell (zsh, bash, sh, powershell or cmd) and its absolute path.',
  },
  {
    id: 'environment.info.shell-runs',
    source: 'exec-server 0.169.0',
    behaviour: 'The shell that `environment/info` names can be started with `-c`.',
  },
  {
    id: 'environment.info.cwd',
    source: 'exec-server 0.169.0',
    behaviour: 'The `cwd` in `environment/info` is null or a `file:` URI of an existing directory.',
  },
  {
    id: 'environment.info.temporary-directories',
    source: 'exec-server 0.169.0',
    behaviour: 'The temporary directories in `environment/info` are `file:` URIs.',
  },
  {
    id: 'environment.info.capabilities',
    source: 'exec-server 0.169.0',
    behaviour: 'Every capability in `environment/info` is a boolean.',
  },
  {
    id: 'environment.info.stable',
    source: 'exec-server 0.169.0',
    behaviour: '`environment/info` gives the same answer to every connection.',
  },
] as const satisfies readonly Requirement[];

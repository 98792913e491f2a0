// Reads the layers of the Codex configuration of this machine, narrowed to the requested keys. Loaded on first use,
// because starting a server needs no TOML parser.
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type EnvironmentConfigReadResult, pathToFileUri } from '@codex/exec-protocol';
import { stringify } from 'smol-toml';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { type ConfigFile, readConfigFile } from './codex-config-file.js';
import { codexHome, userHome } from './codex-home.js';
import { projectLayers } from './project-layers.js';
import { projectToml } from './toml-projection.js';

type KeyPaths = readonly (readonly string[])[];
type Stack = EnvironmentConfigReadResult['config'];

export interface ConfigHost {
  readonly env: ServerEnvironment;
  /** The server's own working directory. */
  readonly cwd: string;
  /** Where the administrator's files are. */
  readonly systemConfigDir: string;
}

export interface ConfigQuestion {
  readonly cwd: string;
  readonly configPaths: KeyPaths;
  readonly requirementsPaths: KeyPaths;
}

interface Layer {
  readonly source: string;
  readonly file: ConfigFile;
}

export async function readEnvironmentConfig(
  host: ConfigHost,
  question: ConfigQuestion,
): Promise<EnvironmentConfigReadResult> {
  const home = await codexHome(host);
  const inSystem = (name: string) => readConfigFile(join(host.systemConfigDir, name));
  const [system, user, managed, requirements] = await Promise.all([
    inSystem('config.toml'),
    readConfigFile(join(home, 'config.toml')),
    inSystem('managed_config.toml'),
    inSystem('requirements.toml'),
  ]);
  const trustedBy = [system, user, managed].flatMap((file) => (file === undefined ? [] : [file.document]));
  const projects = await projectLayers({ cwd: question.cwd, codexHome: home, trustedBy });

  const below = named('system', system);
  const above = [
    ...named('user', user),
    ...projects.flatMap((file) => named('project', file)),
    ...named('legacy managed_config.toml', managed),
  ];
  const required = requirements === undefined ? [] : [{ source: requirements.path, file: requirements }];
  const homeDirectory = userHome(host);
  return {
    userHomeDir: homeDirectory === undefined ? null : pathToFileUri(homeDirectory),
    codexHomeDir: pathToFileUri(home),
    hostname: hostname(),
    config: stack(below, above, question.configPaths),
    requirements: stack(required, [], question.requirementsPaths),
  };
}

function named(kind: string, file: ConfigFile | undefined): Layer[] {
  return file === undefined ? [] : [{ source: `${kind} (${file.path})`, file }];
}

/** What a client has from elsewhere stands over what the administrator set for all, and under the rest. */
function stack(below: readonly Layer[], above: readonly Layer[], paths: KeyPaths): Stack {
  const project = ({ source, file }: Layer): Stack['layers'] => {
    const projection = projectToml(file.document, paths);
    if (projection === undefined) return [];
    const toml = `${stringify(projection, { numbersAsFloat: true }).trimEnd()}\n`;
    return [{ source, baseDir: pathToFileUri(dirname(file.path)), toml }];
  };
  const first = below.flatMap(project);
  return { layers: [...first, ...above.flatMap(project)], cloudInsertionIndex: first.length };
}

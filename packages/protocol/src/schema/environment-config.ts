// Reading the Codex configuration of the machine that the server runs on, narrowed to the keys that were asked for.
import { Type } from '@sinclair/typebox';
import { named, optional, PathText, refTo, U64 } from './primitives.js';

/** A key and the keys below it. */
const KeyPath = Type.Array(Type.String());

export const EnvironmentConfigReadParams = named(
  'EnvironmentConfigReadParams',
  Type.Object({
    cwd: PathText,
    configPaths: Type.Array(KeyPath),
    requirementsPaths: Type.Array(KeyPath),
  }),
);

export const EnvironmentConfigLayer = named(
  'EnvironmentConfigLayer',
  Type.Object({
    /** For people: which file this is. */
    source: Type.String(),
    /** What relative paths in the layer are relative to. */
    baseDir: PathText,
    toml: Type.String(),
  }),
);

export const EnvironmentConfigStack = named(
  'EnvironmentConfigStack',
  Type.Object({
    /** A later layer stands over an earlier one. */
    layers: Type.Array(refTo(EnvironmentConfigLayer)),
    /** Before which layer a client puts what it got from elsewhere. */
    cloudInsertionIndex: U64,
  }),
);

export const EnvironmentConfigReadResult = named(
  'EnvironmentConfigReadResult',
  Type.Object({
    userHomeDir: optional(PathText),
    codexHomeDir: PathText,
    hostname: optional(Type.String()),
    config: refTo(EnvironmentConfigStack),
    requirements: refTo(EnvironmentConfigStack),
  }),
);

// Finding plugins and skills below directories of the server's machine, in one request instead of hundreds.
import { Type } from '@sinclair/typebox';
import { named, nullable, PathText, refTo } from './primitives.js';
import { OptionalSandbox } from './sandbox-context.js';

export const CapabilityRootRequest = named(
  'CapabilityRootRequest',
  Type.Object({ id: Type.String(), path: PathText, sandbox: OptionalSandbox }),
);

export const CapabilityRootsDiscoverParams = named(
  'CapabilityRootsDiscoverParams',
  Type.Object({ roots: Type.Array(refTo(CapabilityRootRequest)) }),
);

export const CapabilityTextFile = named(
  'CapabilityTextFile',
  Type.Object({ path: PathText, contents: Type.String() }),
);

const OptionalFile = nullable(refTo(CapabilityTextFile));

export const CapabilityPlugin = named(
  'CapabilityPlugin',
  Type.Object({ manifest: refTo(CapabilityTextFile), mcpConfig: OptionalFile, appsConfig: OptionalFile }),
);

export const CapabilitySkill = named(
  'CapabilitySkill',
  Type.Object({ instructions: refTo(CapabilityTextFile), metadata: OptionalFile }),
);

export const CapabilityRoot = named(
  'CapabilityRoot',
  Type.Object({
    id: Type.String(),
    path: PathText,
    /** The plugin that the root itself is. */
    plugin: nullable(refTo(CapabilityPlugin)),
    skills: Type.Array(refTo(CapabilitySkill)),
    /** The manifests of all plugins at and below the root. */
    namespaceManifests: Type.Array(refTo(CapabilityTextFile)),
    warnings: Type.Array(Type.String()),
    /** Why there is nothing to say about the root at all. */
    error: nullable(Type.String()),
  }),
);

export const CapabilityRootsDiscoverResult = named(
  'CapabilityRootsDiscoverResult',
  Type.Object({ roots: Type.Array(refTo(CapabilityRoot)) }),
);

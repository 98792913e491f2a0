// What the user of the server's machine has installed there: skills and plugins, read and understood by the server.
import { Type } from '@sinclair/typebox';
import { CapabilityPlugin } from './capability.js';
import { named, nullable, PathText, refTo, stringEnum, U16 } from './primitives.js';
import { OptionalSandbox } from './sandbox-context.js';

export const CapabilitiesDiscoverV2Params = named(
  'CapabilitiesDiscoverV2Params',
  Type.Object({ cwd: PathText, sandbox: OptionalSandbox }),
);

const OptionalText = nullable(Type.String());

export const SkillToolDependency = named(
  'SkillToolDependency',
  Type.Object({
    type: Type.String(),
    value: Type.String(),
    description: OptionalText,
    transport: OptionalText,
    command: OptionalText,
    url: OptionalText,
    oauthCallbackPort: nullable(U16),
  }),
);

export const SkillDependencies = named(
  'SkillDependencies',
  Type.Object({ tools: Type.Array(refTo(SkillToolDependency)) }),
);

export const SkillPolicy = named(
  'SkillPolicy',
  Type.Object({
    allowImplicitInvocation: nullable(Type.Boolean()),
    products: Type.Array(stringEnum(['codex', 'chatgpt', 'atlas'])),
  }),
);

const skillMembers = {
  /** With the name of the plugin in front when the skill is part of one: `plugin:skill`. */
  name: Type.String(),
  description: Type.String(),
  shortDescription: OptionalText,
  path: PathText,
  dependencies: nullable(refTo(SkillDependencies)),
  policy: nullable(refTo(SkillPolicy)),
};

export const InstalledPluginSkill = named('InstalledPluginSkill', Type.Object(skillMembers));

export const SkillDiscoveryRoot = named(
  'SkillDiscoveryRoot',
  Type.Object({ id: Type.String(), path: PathText }),
);

export const InstalledSkill = named(
  'InstalledSkill',
  Type.Object({ ...skillMembers, discoveryRoot: refTo(SkillDiscoveryRoot) }),
);

export const InstalledPlugin = named(
  'InstalledPlugin',
  Type.Object({
    /** `name@marketplace` */
    id: Type.String(),
    displayName: Type.String(),
    remotePluginId: OptionalText,
    version: Type.String(),
    root: PathText,
    files: refTo(CapabilityPlugin),
    skills: Type.Array(refTo(InstalledPluginSkill)),
  }),
);

export const CapabilitiesDiscoverV2Result = named(
  'CapabilitiesDiscoverV2Result',
  Type.Object({
    plugins: Type.Array(refTo(InstalledPlugin)),
    skills: Type.Array(refTo(InstalledSkill)),
    warnings: Type.Array(Type.String()),
  }),
);

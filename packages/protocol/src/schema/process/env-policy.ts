// How a child's environment is made from the server's own; the order of the steps is the server's business.
import { Type } from '@sinclair/typebox';
import { named, StringMap, stringEnum } from '../primitives.js';

export const EnvPolicy = named(
  'EnvPolicy',
  Type.Object({
    inherit: stringEnum(['core', 'all', 'none']),
    ignoreDefaultExcludes: Type.Boolean(),
    exclude: Type.Array(Type.String()),
    set: StringMap,
    includeOnly: Type.Array(Type.String()),
  }),
);

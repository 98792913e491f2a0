// The public face of the schemas: plain JSON Schema objects, one per wire type, free of any schema library.
/** @public */
export type { JsonSchema, SchemaName } from '../generated/json-schemas.js';
export { schemas } from '../generated/json-schemas.js';

// The public face of the schemas: plain JSON Schema objects, one per wire type, free of any schema library.
export { type JsonSchema, type SchemaName, schemas } from '../generated/json-schemas.js';

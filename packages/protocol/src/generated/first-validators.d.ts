// Generated from src/schema by scripts/generate.ts. Do not edit.
import type { Validator } from '../errors/validation-error.js';

export declare const firstValidators: ReadonlyMap<string, Validator>;
export declare const paramsStructs: ReadonlyMap<string, string>;
export declare const structNames: ReadonlyMap<string, string>;
export declare const integerTypes: ReadonlyMap<string, string>;
export declare const tagNames: ReadonlyMap<string, readonly string[]>;

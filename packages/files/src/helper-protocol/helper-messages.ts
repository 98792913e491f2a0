// What travels between the server and a file helper. Both sides are built from this file; paths that are not UTF-8
// travel as base64.
import { Buffer } from 'node:buffer';
import type { TreeCursor, TreeEntry } from '@codex/exec-protocol';
import type { FsErrorCode } from '../fs-error.js';
import { fromBytes, type NativePath } from '../native-path.js';
import type { GrantedPlace, GuardPolicy } from './guard-policy.js';

export type WirePath = string | { readonly base64: string };

export const toWirePath = (path: NativePath): WirePath =>
  typeof path === 'string' ? path : { base64: path.toString('base64') };
export const fromWirePath = (path: WirePath): NativePath =>
  typeof path === 'string' ? path : fromBytes(Buffer.from(path.base64, 'base64'));

/** The operations: the methods of a file system, and those of an open file by the number that `open` answered. */
export interface HelperOperations {
  readFile: { path: WirePath; maxBytes: number; followSymlinks?: boolean };
  writeFile: { path: WirePath; options: Readonly<Record<string, unknown>> };
  createDirectory: { path: WirePath; recursive: boolean; followSymlinks?: boolean };
  getMetadata: { path: WirePath; followSymlinks?: boolean };
  canonicalize: { path: WirePath };
  readDirectory: { path: WirePath; maxEntries: number };
  walk: { path: WirePath; form: 'uri' | 'path'; options: Readonly<Record<string, unknown>> };
  remove: { path: WirePath; recursive: boolean; force: boolean; followSymlinks?: boolean };
  copy: { path: WirePath; destination: WirePath; recursive: boolean };
  rename: { path: WirePath; destination: WirePath; overwrite: boolean };
  open: { path: WirePath; mode: 'read' | 'replace' };
  writeTree: { path: WirePath; entries: readonly TreeEntry[] };
  readTree: {
    path: WirePath;
    exclude: readonly string[];
    after?: TreeCursor | undefined;
    enoughBytes?: number | undefined;
  };
  readBlock: { file: number; offset: number; length: number };
  writeBlock: { file: number; offset: number };
  close: { file: number };
  /** `watch` is the server's number for it; its news carry it. */
  watch: { watch: number; path: WirePath; recursive: boolean; maxDirectories: number };
  /** Answers whether there is something to wait for. */
  watchMissing: { watch: number; missing: readonly WirePath[]; present?: WirePath };
  unwatch: { watch: number };
}

export type OperationName = keyof HelperOperations;

export type ToHelper =
  /** First of all, once. */
  | {
      readonly type: 'policy';
      readonly policy: GuardPolicy;
      readonly places: readonly GrantedPlace[];
      /** What watches files, where there is one. */
      readonly launcherProgram?: string;
    }
  | { readonly type: 'call'; readonly id: number; readonly operation: OperationName; readonly args: object }
  /** There is room for the file whose size was announced. */
  | { readonly type: 'room'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'ping' };

export interface WireFailure {
  readonly code: FsErrorCode;
  readonly message: string;
  readonly errno?: string;
  /** The file was larger than the request allowed. */
  readonly tooLarge?: number;
}

export type WireChange =
  | readonly [kind: 'created' | 'modified' | 'removed', path: WirePath]
  | readonly [kind: 'renamed', path: WirePath, previousPath: WirePath];

export type WatchNews =
  | { readonly type: 'changes'; readonly changes: readonly WireChange[] }
  /** Changes were lost; nothing more is. */
  | { readonly type: 'overflow' }
  /** What is watched is not in its place any more. Nothing follows. */
  | { readonly type: 'gone' }
  /** Something may have appeared where nothing was. Nothing follows. */
  | { readonly type: 'missingChanged' };

export type FromHelper =
  /** `isCompiledAnew`: what V8 compiles for it has not been kept yet. */
  | { readonly type: 'ready'; readonly isCompiledAnew?: boolean }
  | { readonly type: 'pong' }
  /** Asks for room for that many bytes before they are read. */
  | { readonly type: 'size'; readonly id: number; readonly bytes: number }
  | { readonly type: 'result'; readonly id: number; readonly result?: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly failure: WireFailure }
  | { readonly type: 'watch'; readonly watch: number; readonly news: WatchNews };

// The two ways a path is written on the wire: a `file:` URI, as Codex does, or an absolute path.
// The result is lexically folded (no `.`, `..`, empty segment or trailing slash), so that a policy check and the
// kernel look at the same path. It does not resolve symlinks and says nothing about what exists.
import { CodedError } from '../errors/coded-error.js';
import { runtime } from '../runtime.js';
import { bytesToBinary, foldPath, fromBinary, toBinary } from './path-bytes.js';
import { decodeOpaquePath, encodePath, isDriveSegment, OPAQUE_PREFIX } from './path-encoding.js';

export type PathForm = 'uri' | 'path';

/** `FOREIGN`: well-formed, but no path of this platform. `ENCODING`: its bytes are not UTF-8. */
export type PathUriErrorCode = 'PATH_URI_INVALID' | 'PATH_URI_FOREIGN' | 'PATH_URI_ENCODING';

export class PathUriError extends CodedError<PathUriErrorCode> {}

export interface ParsedPath {
  readonly path: string;
  readonly form: PathForm;
}

export interface ParsedPathBytes {
  /** Undefined when the path is not UTF-8: then only the bytes name it. */
  readonly path: string | undefined;
  readonly bytes: Uint8Array;
  readonly form: PathForm;
}

/** Nothing to decode, fold or refuse: the bulk of real traffic. */
const PLAIN_URI = /^file:\/\/((?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.~!$&'()*+,;=@-]+)+)$/;
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\x20-\x2e\x30-\x7e]+)+$/;

/** What the kernel takes is 4,096 bytes, each of them three characters at most. A text is looked at several times, on the event loop. */
const MAX_TEXT = 16 * 1024;

const invalid = (message: string) => new PathUriError('PATH_URI_INVALID', message);

const notOn = (code: PathUriErrorCode, uri: string, platform: string) =>
  new PathUriError(code, `'${uri}' is invalid on '${platform}'`);

function parseUrl(text: string) {
  try {
    return new runtime.URL(text);
  } catch (cause) {
    const isRelative = !/^\s*[A-Za-z][A-Za-z0-9+.-]*:/.test(text);
    const reason = isRelative
      ? 'relative URL without a base (expected a `file:` URI or an absolute path)'
      : 'not a URL';
    throw new PathUriError('PATH_URI_INVALID', `invalid URI: ${reason}`, { cause });
  }
}

/** A policy has thousands of paths: a function called for each escape would take seconds for them. */
function percentDecode(pathname: string): string {
  if (!pathname.includes('%')) return pathname;
  const bytes = new Uint8Array(pathname.length);
  let length = 0;
  for (let at = 0; at < pathname.length; at += 1) {
    const code = pathname.charCodeAt(at);
    const byte = code === PERCENT ? 16 * hexDigit(pathname, at + 1) + hexDigit(pathname, at + 2) : Number.NaN;
    if (!Number.isNaN(byte)) at += 2;
    bytes[length] = Number.isNaN(byte) ? code : byte;
    length += 1;
  }
  return bytesToBinary(bytes.subarray(0, length));
}

const PERCENT = 0x25;

/** NaN for anything else, and for the end of the text. */
function hexDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** A URI's path, one character per byte, not folded yet. */
function binaryFromUri(text: string, platform: string): string {
  const { protocol, host, pathname, href } = parseUrl(text);
  if (protocol !== 'file:') throw invalid(`unsupported path URI scheme \`${protocol.slice(0, -1)}\``);
  if (href.includes('#')) throw invalid('fragments are not allowed in path URIs');
  if (href.includes('?')) throw invalid('query parameters are not allowed in path URIs');
  if (host !== '' || isDriveSegment(pathname)) throw notOn('PATH_URI_FOREIGN', href, platform);
  if (pathname.startsWith(OPAQUE_PREFIX)) {
    const opaque = decodeOpaquePath(pathname.slice(OPAQUE_PREFIX.length));
    if (opaque === undefined || opaque.includes('\0')) throw notOn('PATH_URI_INVALID', href, platform);
    // Only a path that has no plain spelling may use this form: every path has one name.
    if (encodePath(foldPath(opaque)) !== `file://${pathname}`)
      throw notOn('PATH_URI_FOREIGN', href, platform);
    return opaque;
  }
  const binary = percentDecode(pathname);
  if (binary.includes('\0')) throw notOn('PATH_URI_INVALID', href, platform);
  return binary;
}

function checkLength(text: string): void {
  if (text.length > MAX_TEXT)
    throw invalid(`File name too long: a path is written in ${MAX_TEXT} characters at most`);
}

function parseBinary(text: string, platform: string): { binary: string; form: PathForm } {
  checkLength(text);
  if (!text.startsWith('/')) return { binary: foldPath(binaryFromUri(text, platform)), form: 'uri' };
  if (text.includes('\0')) throw invalid('a path cannot hold a NUL character');
  return { binary: foldPath(toBinary(text)), form: 'path' };
}

/** Every path the platform can have, including those that are not UTF-8. */
export function parsePathBytes(text: string, platform = 'linux'): ParsedPathBytes {
  const { binary, form } = parseBinary(text, platform);
  return { ...fromBinary(binary), form };
}

/** Throws `PathUriError`, also for a path that is not UTF-8 (`parsePathBytes` takes those). */
export function parsePathInput(text: string, platform = 'linux'): ParsedPath {
  checkLength(text);
  const plain = PLAIN_URI.exec(text)?.[1];
  if (plain !== undefined) return { path: plain, form: 'uri' };
  if (PLAIN_PATH.test(text)) return { path: text, form: 'path' };
  const { path, form } = parsePathBytes(text, platform);
  if (path === undefined) throw new PathUriError('PATH_URI_ENCODING', `'${text}' is not a UTF-8 path`);
  return { path, form };
}

/** The canonical URI of an absolute path. */
export function pathToFileUri(path: string | Uint8Array): string {
  const binary = typeof path === 'string' ? toBinary(path) : bytesToBinary(path);
  if (!binary.startsWith('/')) throw invalid('only an absolute path has a file URI');
  if (binary.includes('\0')) throw invalid('a path cannot hold a NUL character');
  return encodePath(foldPath(binary));
}

/** A path in the form it was asked in. */
export function formatPath(path: string | Uint8Array, form: PathForm): string {
  if (form === 'uri') return pathToFileUri(path);
  return typeof path === 'string' ? path : lossyText(path);
}

/** A plain string cannot hold other bytes than UTF-8; a client that needs them asks with a URI. */
function lossyText(bytes: Uint8Array): string {
  return new runtime.TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
}

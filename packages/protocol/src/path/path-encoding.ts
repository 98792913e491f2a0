// The canonical spelling of a path in a URI, and the opaque spelling of paths that have no plain one.

import { decodeBase64, encodeBase64 } from '../wire/base64.js';
import { binaryToBytes, bytesToBinary } from './path-bytes.js';

/** upstream: utils/path-uri/src/lib.rs – %00 cannot occur in a real path, so this prefix is free. */
export const OPAQUE_PREFIX = '/%00/bad/path/';

const ENCODED = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/[\]^|]/g;

const percent = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** A first segment such as `C:` makes the URI a Windows one. */
export function isDriveSegment(pathname: string): boolean {
  return /^\/[A-Za-z](?::|%3A)(?:\/|$)/i.test(pathname);
}

function toBase64Url(binary: string): string {
  return encodeBase64(binaryToBytes(binary)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The absolute path, one character per byte, or undefined when the text is not canonical base64url. */
export function decodeOpaquePath(text: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
  return bytes === undefined ? undefined : bytesToBinary(bytes);
}

/** Takes a folded absolute path, one character per byte. */
export function encodePath(binary: string): string {
  if (/^\/[A-Za-z]:(?:\/|$)/.test(binary)) return `file://${OPAQUE_PREFIX}${toBase64Url(binary)}`;
  const encoded = binary.replace(ENCODED, percent);
  // URL parsers read `C|` as a drive too; upstream writes it bare and then cannot read it back.
  return `file://${encoded.replace(/^(\/[A-Za-z])\|(?=\/|$)/, '$1%7C')}`;
}

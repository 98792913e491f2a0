// docs/errors.md and the sources name the same codes.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RpcErrorCode } from '@codex/exec-protocol';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('lists every error code, and no other', () => {
  const documented = [...readFileSync(`${root}docs/errors.md`, 'utf8').matchAll(/^\| `([^`]+)`/gm)].map(
    ([, code]) => code,
  );
  expect(new Set(documented).size).toBe(documented.length);
  expect(documented.sort()).toEqual([...sourceCodes(), ...Object.values(RpcErrorCode).map(String)].sort());
});

function sourceCodes(): string[] {
  const files = readdirSync(`${root}packages`, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^[\w-]+\/src\/.*\.ts$/.test(path) && !/\.test\.ts$|\/generated\//.test(path),
  );
  const codes = files.flatMap((path) => codesIn(readFileSync(`${root}packages/${path}`, 'utf8')));
  return [...new Set(codes)];
}

/** The literals of error code unions: `type XErrorCode = 'A' | 'B'`, `CodedError<'A'>`, and the client's map of details. */
function codesIn(source: string): string[] {
  const unions = [...source.matchAll(/type \w*ErrorCode =([^;]+);/g)].map(([, union]) => union ?? '');
  const literals = [...source.matchAll(/CodedError<('[^>]+')>/g)].map(([, literal]) => literal ?? '');
  const details = /interface ErrorDetails \{\n([\s\S]*?)\n\}/.exec(source)?.[1] ?? '';
  const keys = [...details.matchAll(/^ {2}'?([\w.]+)'?:/gm)].map(([, key]) => key ?? '');
  return [
    ...[...unions, ...literals].flatMap((text) =>
      [...text.matchAll(/'([^']+)'/g)].map(([, code]) => code ?? ''),
    ),
    ...keys,
  ];
}

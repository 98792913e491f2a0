// The part of a TOML document below some key paths. Integers are bigints here, so that a float stays a float.
import type { TomlTable, TomlValue } from 'smol-toml';

/** Undefined when none of the paths leads anywhere. */
export function projectToml(
  document: TomlTable,
  paths: readonly (readonly string[])[],
): TomlTable | undefined {
  const projection = emptyTable();
  for (const path of paths) copyPath(document, projection, path);
  return Object.keys(projection).length === 0 ? undefined : projection;
}

/** A path that leads into a value that is no table names that value, as with the peer. */
function copyPath(from: TomlTable, to: TomlTable, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined || !Object.hasOwn(from, key)) return;
  const value = from[key];
  if (value === undefined) return;
  if (rest.length === 0 || !isTable(value)) {
    to[key] = value;
    return;
  }
  const existing = Object.hasOwn(to, key) ? to[key] : undefined;
  // The whole table is there already.
  if (existing === value) return;
  const table = existing !== undefined && isTable(existing) ? existing : emptyTable();
  copyPath(value, table, rest);
  if (Object.keys(table).length > 0) to[key] = table;
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
}

/** Without a prototype, so that a key called `__proto__` is a key. */
function emptyTable(): TomlTable {
  return Object.create(null) as TomlTable;
}

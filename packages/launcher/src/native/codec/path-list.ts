/** Paths one after the other, each with its NUL. Twin: kept_take in native/command/kept-mounts.c. */
export function encodePaths(paths: readonly string[] = []): Uint8Array {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''));
}

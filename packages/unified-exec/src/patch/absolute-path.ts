// Paths of a patch: relative ones start at the folder of the call. `..` is taken by its words, as Codex does it; links are the
// server's business, and its sandbox judges by what they lead to.

export function absolutePath(cwd: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

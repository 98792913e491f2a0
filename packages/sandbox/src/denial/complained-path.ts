// The path that an error line is about. Programs put it before the complaint (`touch: cannot touch '/etc/x': Read-only
// file system`) or behind it (`EROFS: read-only file system, open '/etc/x'`).

const complaint = /operation not permitted|permission denied|read-only file system|failed to write file/i;
const quoted = /['"‘“`]([^'"’”`]+)['"’”`]/;

export function complainedPath(line: string): string | undefined {
  const found = complaint.exec(line);
  if (found === null) return undefined;
  const before = line.slice(0, found.index).replace(/(\[[^\]]{0,40}\]|:|\(\d{1,4}:) ?$/, '');
  return lastName(before) ?? firstName(line.slice(found.index + found[0].length));
}

/** `bash: line 1: /etc/x`, `cannot create /etc/x`, `cannot move 'a' to '/etc/a'`. */
function lastName(text: string): string | undefined {
  const inQuotes = new RegExp(`${quoted.source}$`).exec(text)?.[1];
  if (inQuotes !== undefined) return inQuotes;
  return pathWord(text.slice(text.lastIndexOf(' ') + 1));
}

/** `: '/etc/x'`, `, open '/etc/x'`, ` /x`. */
function firstName(text: string): string | undefined {
  const inQuotes = new RegExp(`^[:,]? ?[a-z_ ]{0,24}${quoted.source}`).exec(text)?.[1];
  if (inQuotes !== undefined) return inQuotes;
  return pathWord(/^:? (\S+)/.exec(text)?.[1]);
}

/** Without quotes only what has a slash, and is no address, is taken for a path. */
function pathWord(word: string | undefined): string | undefined {
  if (word === undefined || !word.includes('/') || word.includes('://')) return undefined;
  return word;
}

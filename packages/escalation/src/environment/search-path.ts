// The PATH of a program outside: programs start others by name, and a folder that the sandbox can write would answer.

/**
 * Without folders that are relative, empty (which means the working directory) or that the sandboxed side can write, be it
 * by their name or where it leads.
 */
export function searchPathOutside(path: string, isWritable: (folder: string) => boolean): string {
  return path
    .split(':')
    .filter((folder) => folder.startsWith('/') && !isWritable(folder))
    .join(':');
}

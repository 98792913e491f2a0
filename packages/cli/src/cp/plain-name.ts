// Names that a server lists. One that is a path would lead a copy out of its target.

export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
}

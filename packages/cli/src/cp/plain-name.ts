// Refuses names in a server's listing that are paths: such a name would lead a copy out of its target.

export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
}

// Where this package writes what only a developer wants to know. Every logger of a server is one.

export interface DebugLog {
  debug(message: string, fields?: Readonly<Record<string, string>>): void;
}

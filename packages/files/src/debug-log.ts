// The logger interface of this package. Every logger of the server fits it.

export interface DebugLog {
  debug(message: string, fields?: Readonly<Record<string, string>>): void;
}

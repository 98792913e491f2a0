/** The part of the console that recipes use. */
export interface Output {
  log(...values: unknown[]): void;
}

// The shape of one requirement: pure data, so that the manifest can be listed, counted and checked without running anything.

/** Where a requirement comes from. `this project: …` names a document of this repository. */
export type Source =
  | 'exec-server 0.169.0'
  | 'exec-server README'
  | 'design notes'
  | `this project: ${string}`;

/**
 * What a target must offer before a requirement applies to it.
 * - `shared-host`: the suite runs on the server's machine and sees its files and processes
 * - `planted-environment`: the server runs with the variables of targets/planted-environment.ts
 * - `own-process`: the target is a program that the suite can start, signal and wait for
 * - `stdio`: that program also speaks over stdin and stdout
 * - `extension:…`: an addition of this project that other servers do not have
 */
export type Need = 'shared-host' | 'planted-environment' | 'own-process' | 'stdio' | `extension:${string}`;

export interface Requirement {
  /** `family.method.behaviour` */
  readonly id: string;
  readonly source: Source;
  /** One sentence that is true of a conforming server. */
  readonly behaviour: string;
  readonly needs?: readonly Need[];
}

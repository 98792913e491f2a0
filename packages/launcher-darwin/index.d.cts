/** The part of node-pty's native module that is used; its own type declarations leave it out. */
export interface NativePty {
  open(cols: number, rows: number): { master: number; slave: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
}

/** Throws when node-pty is not installed or was not built for this system. */
export function loadNativePty(): NativePty;

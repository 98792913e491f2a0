// What the program is called, in help, hints and errors.
export const PROGRAM = 'exec-server';

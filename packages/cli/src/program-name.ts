// The name of the program in help, hints and errors.
export const PROGRAM = 'exec-server';

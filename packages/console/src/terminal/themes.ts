// Colours of the terminal, in the tones of the page around it.

import type { ITheme } from '@xterm/xterm';

export const DARK: ITheme = {
  background: '#0b0e14',
  foreground: '#d7dce5',
  cursor: '#5ad1a5',
  cursorAccent: '#0b0e14',
  selectionBackground: '#2b4a6f',
  black: '#1b212c',
  red: '#ff7b7b',
  green: '#6fd08c',
  yellow: '#e5c07b',
  blue: '#7aa8ff',
  magenta: '#c792ea',
  cyan: '#62c9d6',
  white: '#cfd6e4',
  brightBlack: '#5c6779',
  brightRed: '#ff9c9c',
  brightGreen: '#98e2ad',
  brightYellow: '#f2d9a0',
  brightBlue: '#a3c4ff',
  brightMagenta: '#dcb6f5',
  brightCyan: '#93dfe8',
  brightWhite: '#f5f7fa',
  // The line beside the scroll bar.
  overviewRulerBorder: '#0b0e14',
};

export const LIGHT: ITheme = {
  background: '#fbfcfd',
  foreground: '#1d2430',
  cursor: '#0a7d56',
  cursorAccent: '#fbfcfd',
  selectionBackground: '#bcd6f5',
  black: '#1d2430',
  red: '#b3261e',
  green: '#1a7f37',
  yellow: '#8a6100',
  blue: '#0b57c2',
  magenta: '#8339b0',
  cyan: '#0b7285',
  white: '#6b7686',
  brightBlack: '#4d5768',
  brightRed: '#d1372e',
  brightGreen: '#2a9a4c',
  brightYellow: '#a67500',
  brightBlue: '#2b71d9',
  brightMagenta: '#9c54c7',
  brightCyan: '#1c8ba0',
  brightWhite: '#3a4453',
  overviewRulerBorder: '#fbfcfd',
};

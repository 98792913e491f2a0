// Graphemes for xterm.js, with a bound. Any number of combining marks joins the character before it, and one cell with
// hundreds of thousands of them holds the page for minutes. What people write has a dozen at most (two people who kiss, with the colours of their skin, have ten).

import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import type { IUnicodeHandling, IUnicodeVersionProvider, Terminal } from '@xterm/xterm';

const MAX_CODE_POINTS = 12;
const GRAPHEMES = '15-graphemes';
/** Of the properties of a character in xterm.js: it belongs to the one before it. */
const JOINS = 1;

class MissingGraphemes extends Error {
  readonly code = 'console.missingGraphemes';

  constructor() {
    super(`the addon for graphemes has no version ${GRAPHEMES}`);
  }
}

/** As the addon for graphemes, but what goes beyond the bound begins a cell of its own. */
export function boundedClusters(): IUnicodeVersionProvider {
  const graphemes = graphemeProvider();
  let length = 0;
  return {
    version: 'bounded-graphemes',
    wcwidth: (codePoint) => graphemes.wcwidth(codePoint),
    charProperties: (codePoint, preceding) => {
      const properties = graphemes.charProperties(codePoint, preceding);
      length = (properties & JOINS) === 0 ? 1 : length + 1;
      if (length <= MAX_CODE_POINTS) return properties;
      length = 1;
      return graphemes.charProperties(codePoint, 0);
    },
  };
}

/** The addon gives it to a terminal only. */
function graphemeProvider(): IUnicodeVersionProvider {
  const found: IUnicodeVersionProvider[] = [];
  const unicode: IUnicodeHandling = {
    versions: [],
    activeVersion: '',
    register: (provider) => void found.push(provider),
  };
  new UnicodeGraphemesAddon().activate({ unicode } as Terminal);
  const graphemes = found.find(({ version }) => version === GRAPHEMES);
  if (graphemes === undefined) throw new MissingGraphemes();
  return graphemes;
}

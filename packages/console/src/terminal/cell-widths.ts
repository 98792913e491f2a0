// The emulator's renderer asks once for the width of everything that a cell may hold: it writes that into a hidden element,
// many times over, and reads how wide the element is. For each answer the browser lays out the page, so a screen of characters
// that were never shown held it up for half a second, and one of letters with many marks for longer. A canvas answers
// the same question without a layout.

/** Holds an element for each of regular, bold, italic and both. */
const MEASURED = '.xterm-width-cache-measure-container';
/** Widths that differ by less are the same: an element tells whole pixels, of many characters. */
const TOLERANCE = 0.5;
const PROBE = 'Wm';

/** Where the emulator has no such elements, or the canvas no answer, everything stays as it was. */
export function measureOnCanvas(terminal: HTMLElement): void {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return;
  context.fontKerning = 'none';
  for (const container of terminal.querySelectorAll<HTMLElement>(MEASURED))
    for (const element of container.querySelectorAll('span')) new CellWidth(context, container, element);
}

class CellWidth {
  readonly #context: CanvasRenderingContext2D;
  readonly #container: HTMLElement;
  readonly #element: HTMLElement;
  #text = '';
  #font = '';
  /** Whether the canvas agrees with the page about `#font`; a browser may enforce a size that only the page has. */
  #agrees = false;

  constructor(context: CanvasRenderingContext2D, container: HTMLElement, element: HTMLElement) {
    this.#context = context;
    this.#container = container;
    this.#element = element;
    Object.defineProperties(element, {
      textContent: {
        get: () => this.#text,
        set: (text: string) => {
          this.#text = text;
        },
      },
      offsetWidth: { get: () => this.#width() },
    });
  }

  #width(): number {
    const { fontStyle, fontWeight } = this.#element.style;
    const { fontSize, fontFamily } = this.#container.style;
    const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    this.#context.font = font;
    if (font !== this.#font) {
      const probe = this.#inPage(PROBE);
      // Behind another tab nothing has a width, and the emulator asks again.
      if (probe === 0) return 0;
      this.#font = font;
      this.#agrees = Math.abs(this.#onCanvas(PROBE) - probe) <= TOLERANCE;
    }
    return this.#agrees ? this.#onCanvas(this.#text) : this.#inPage(this.#text);
  }

  /** What is repeated is measured once. */
  #onCanvas(text: string): number {
    const period = (text + text).indexOf(text, 1);
    if (period <= 0) return 0;
    return (this.#context.measureText(text.slice(0, period)).width * text.length) / period;
  }

  #inPage(text: string): number {
    this.#element.replaceChildren(text);
    return this.#element.getBoundingClientRect().width;
  }
}

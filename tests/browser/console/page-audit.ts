// What a page owes to those who do not see it, or not well: every control has a name, every text stands out from what is
// behind it. Both are asked of the browser itself.

import type { Page } from 'playwright-core';

const CONTROLS = new Set([
  'button',
  'checkbox',
  'dialog',
  'image',
  'img',
  'link',
  'searchbox',
  'slider',
  'tab',
  'textbox',
  'treeitem',
]);

interface AccessibleNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly backendDOMNodeId?: number;
}

/** Controls without a name, as the browser tells them to a screen reader. */
export async function namelessControls(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as {
      nodes: readonly AccessibleNode[];
    };
    return nodes.flatMap(({ ignored, role, name, backendDOMNodeId }) => {
      const isControl = !ignored && CONTROLS.has(role?.value ?? '');
      return isControl && (name?.value ?? '').trim() === '' ? [`${role?.value} ${backendDOMNodeId}`] : [];
    });
  } finally {
    await session.detach();
  }
}

/** Texts that are hard to read: below 4.5 to 1, or 3 to 1 where they are large (WCAG 2.2, 1.4.3). */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Color = readonly [number, number, number, number];
    const parse = (text: string): Color => {
      const parts = (text.match(/[\d.]+/g) ?? []).map(Number);
      return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0, parts[3] ?? 1];
    };
    const over = ([r, g, b, a]: Color, [R, G, B]: Color): Color => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ];
    const backgroundOf = (element: Element | null): Color => {
      if (element === null) return [255, 255, 255, 1];
      const own = parse(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement));
    };
    const light = ([r, g, b]: Color): number => {
      const [x = 0, y = 0, z = 0] = [r, g, b].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const faint: string[] = [];
    for (const element of document.querySelectorAll('body *')) {
      const text = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent?.trim())
        .join('');
      const style = getComputedStyle(element);
      // The emulator sees to its own colours; what moves is faint for a moment on purpose.
      const isSkipped = element.closest('.xterm, [hidden], .visually-hidden, .mark-run') !== null;
      if (text === '' || isSkipped || !element.checkVisibility({ visibilityProperty: true })) continue;
      const background = backgroundOf(element);
      const color = over(parse(style.color), background);
      const [high, low] = [light(color), light(background)].sort((a, b) => b - a);
      const ratio = ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5))
        faint.push(
          `${ratio.toFixed(2)} ${element.tagName.toLowerCase()}.${element.className}: ${text.slice(0, 40)}`,
        );
    }
    return [...new Set(faint)];
  });
}

import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('view_image', () => {
  it('shows an image of the workspace', async () => {
    const turn = await expectSameTurn(
      async (model, { workspace }) => {
        const shown = await model.viewImage('p.png');
        expect(JSON.stringify(shown)).toContain('data:image/png;base64,');
        await model.viewImage(`${workspace}/p.png`);
      },
      { files: { 'p.png': PNG } },
    );
    expect(turn.exchanges).toHaveLength(2);
  });

  it('says why it cannot', async () => {
    await expectSameTurn(
      async (model) => {
        await model.viewImage('missing.png');
        await model.viewImage('folder');
        await model.viewImage('text.png');
        await model.viewImage('empty.png');
        await model.viewImage('cut.png');
      },
      {
        files: {
          'folder/x': '',
          'text.png': 'not an image',
          'empty.png': '',
          'cut.png': PNG.subarray(0, 40),
        },
      },
    );
  });
});

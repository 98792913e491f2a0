import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';
import { redPixel } from './red-pixel.js';

describe('view_image', () => {
  it('shows an image of the workspace', async () => {
    const turn = await expectSameTurn(
      async (model, { workspace }) => {
        const shown = await model.viewImage('p.png');
        expect(JSON.stringify(shown)).toContain('data:image/png;base64,');
        await model.viewImage(`${workspace}/p.png`);
      },
      { files: { 'p.png': redPixel } },
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
          'cut.png': redPixel.subarray(0, 40),
        },
      },
    );
  });
});

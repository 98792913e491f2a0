import { describe, expect, it } from 'vitest';
import { parsePluginManifest } from './plugin-manifest.js';

describe('parsePluginManifest', () => {
  it.each([
    ['{"name":"a"}', 'a', 'a'],
    ['{}', 'folder', 'folder'],
    ['{"name":" ","interface":null}', 'folder', 'folder'],
    ['{"name":"a","version":7,"interface":{"displayName":"  A  B "}}', 'a', 'A  B'],
    ['{"name":"a","interface":{"displayName":""}}', 'a', 'a'],
  ])('reads %s', (json, name, displayName) => {
    expect(parsePluginManifest(json, 'folder')).toMatchObject({ name, displayName });
  });

  it.each(['not json', '[]', '{"name":5}', '{"interface":"x"}', '{"interface":{"displayName":5}}'])(
    'refuses %s',
    (json) => {
      expect(parsePluginManifest(json, 'folder')).toBeUndefined();
    },
  );
});

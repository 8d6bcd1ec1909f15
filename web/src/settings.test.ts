// Settings are read from any stored text without an error.
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';

vi.stubGlobal('addEventListener', () => undefined);
const { DEFAULTS, readSettings } = await import('./settings.svelte');

it('valid values are kept, invalid ones fall back to the default', () => {
  expect(readSettings(null)).toEqual(DEFAULTS);
  expect(readSettings('{"pink":"#112233","theme":"dark"}')).toMatchObject({
    pink: '#112233',
    theme: 'dark',
  });
  expect(readSettings('{"pink":"red;","theme":"neon","effects":900,"mute":"yes"}')).toEqual(
    DEFAULTS,
  );
  expect(readSettings('{"unknown":1}')).toEqual(DEFAULTS);
});

it('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(Object.keys(readSettings(text)).sort()).toEqual(Object.keys(DEFAULTS).sort());
    }),
  );
});

import { describe, expect, it } from '@jest/globals';
import { decodeMulaw, encodeMulaw, MULAW_SILENCE } from './mulaw.js';

describe('µ-law', () => {
  it('decodes the values of G.711', () => {
    const known = [0x00, 0x0f, 0x10, 0x70, 0x7e, 0x7f, 0x80, 0xa0, 0xf0, 0xfe, MULAW_SILENCE];
    expect([...decodeMulaw(Buffer.from(known))]).toEqual([
      -32_124, -16_764, -15_996, -120, -8, 0, 32_124, 7_932, 120, 8, 0,
    ]);
  });

  it('encodes every value that it decodes as itself, but for the second zero', () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte);
    const expected = bytes.map((byte) => (byte === 0x7f ? MULAW_SILENCE : byte));
    expect([...encodeMulaw(decodeMulaw(Buffer.from(bytes)))]).toEqual(expected);
  });

  it('encodes each sample as the nearest value below its step, and the loudest as the loudest', () => {
    for (let sample = -32_768; sample <= 32_767; sample += 7) {
      const [decoded = 0] = decodeMulaw(encodeMulaw(Int16Array.of(sample)));
      expect(Math.abs(decoded - sample)).toBeLessThanOrEqual(Math.max(4, Math.abs(sample) / 16 + 8));
    }
  });
});

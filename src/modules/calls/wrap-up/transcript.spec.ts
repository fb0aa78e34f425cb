import { describe, expect, it } from '@jest/globals';
import { toTranscript } from './transcript.repository.js';

const turns = (count: number, text: string) =>
  Array.from({ length: count }, (_, seq) => ({
    seq,
    role: 'customer' as const,
    kind: 'speech' as const,
    text,
    interrupted: false,
    timings: {},
  }));

describe('toTranscript', () => {
  it('keeps a complete transcript of 200 kB', () => {
    const text = toTranscript(turns(100, 'x'.repeat(1_989)));
    expect(Buffer.byteLength(text)).toBe(199_999);
    expect(text).not.toContain('left out');
  });

  it.each(['x'.repeat(1_990), 'ä'.repeat(1_990), 'short', '👋'.repeat(500)])(
    'truncates a longer one after a line and reports it',
    (line) => {
      const text = toTranscript(turns(40_000, line));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200_000);
      expect(Buffer.byteLength(text)).toBeGreaterThan(195_000);
      const lines = text.split('\n');
      expect(lines.pop()).toBe('[The rest is left out: a transcript has at most 200 kB.]');
      expect(new Set(lines)).toEqual(new Set([`Customer: ${line}`]));
    },
  );
});

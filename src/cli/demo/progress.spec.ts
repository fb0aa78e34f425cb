import { beforeEach, describe, expect, it } from '@jest/globals';
import { stripVTControlCharacters } from 'node:util';
import { LiveProgress, PlainProgress, progressViewFor } from './progress.js';
import type { LeadProgress } from './campaign-run.js';

const lead = (phoneNumber: string, state: string, settled = false): LeadProgress => ({
  phoneNumber,
  who: 'busy',
  state,
  settled,
});

describe('progress', () => {
  let written: string;
  const out = {
    columns: 40,
    write: (text: string) => {
      written += text;
      return true;
    },
  };

  beforeEach(() => {
    written = '';
  });

  it('is one line per change in a file', () => {
    const progress = new PlainProgress(out);
    progress.show([lead('+1', 'created'), lead('+2', 'created')], 0);
    progress.show([lead('+1', 'ringing'), lead('+2', 'created')], 1.25);
    progress.show([lead('+1', 'ringing'), lead('+2', 'created')], 2);
    expect(written.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      ' 0.0 s +1 busy created',
      ' 0.0 s +2 busy created',
      ' 1.3 s +1 busy ringing',
      '',
    ]);
    expect(written).not.toContain('\u001B');
  });

  it('is a bar that overwrites itself on a terminal', () => {
    const progress = new LiveProgress(out);
    progress.show([lead('+1', 'ringing'), lead('+2', 'completed', true)], 1);
    expect(written).toContain('] 1/2');
    written = '';
    progress.show([lead('+1', 'completed', true), lead('+2', 'completed', true)], 2);
    expect(written.startsWith('\u001B[3A')).toBe(true);
    expect(written).toContain('] 2/2');
    const visible = stripVTControlCharacters(written).split('\n');
    expect(Math.max(...visible.map((line) => line.length))).toBeLessThan(40);
  });

  it('is plain in a pipe and with NO_COLOR', () => {
    const terminal = { ...out, isTTY: true } as unknown as NodeJS.WriteStream;
    expect(progressViewFor(terminal, {})).toBeInstanceOf(LiveProgress);
    expect(progressViewFor(terminal, { NO_COLOR: '1' })).toBeInstanceOf(PlainProgress);
    expect(progressViewFor(out as unknown as NodeJS.WriteStream, {})).toBeInstanceOf(PlainProgress);
  });
});

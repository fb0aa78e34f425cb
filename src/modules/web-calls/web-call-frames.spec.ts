import { describe, expect, it } from '@jest/globals';
import { parseBrowserFrame } from './web-call-frames.js';

const parse = (frame: unknown) => parseBrowserFrame(JSON.stringify(frame));

describe('frames of a browser', () => {
  it.each([
    [
      { type: 'prompt', text: 'Hello', last: true },
      { kind: 'utterance', text: 'Hello', final: true },
    ],
    [
      { type: 'prompt', text: 'Hel', last: false },
      { kind: 'utterance', text: 'Hel', final: false },
    ],
    [
      { type: 'interrupt', heard: 'I am' },
      { kind: 'interrupted', heard: 'I am' },
    ],
    [
      { type: 'played', text: 'I am here.' },
      { kind: 'played', text: 'I am here.' },
    ],
    [
      { type: 'speaking', who: 'customer', on: true },
      { kind: 'speaking', who: 'customer', on: true },
    ],
    [
      { type: 'digit', digit: '#' },
      { kind: 'digit', digit: '#' },
    ],
    [{ type: 'end' }, { kind: 'bye' }],
  ])('%j', (frame, event) => {
    expect(parse(frame)).toEqual(event);
  });

  it('without a meaning are none', () => {
    const frames = [null, 1, 'x', [], {}, { type: 'closed' }, { type: 'digit', digit: '12' }];
    for (const frame of frames) expect([frame, parse(frame)]).toEqual([frame, null]);
    expect(parse({ type: 'speaking', who: 'customer', on: 'yes' })).toBeNull();
    expect(parse({ type: 'speaking', who: 'nobody', on: true })).toBeNull();
    expect(parseBrowserFrame('{"type":')).toBeNull();
  });

  it('are cut to 2,000 characters that can be stored', () => {
    expect(parse({ type: 'prompt', text: 'x'.repeat(2_001) })).toMatchObject({ text: 'x'.repeat(2_000) });
    expect(parse({ type: 'prompt', text: `${'x'.repeat(1_999)}😀` })).toMatchObject({
      text: `${'x'.repeat(1_999)}\uFFFD`,
    });
    expect(parse({ type: 'prompt', text: 5 })).toMatchObject({ text: '' });
  });
});

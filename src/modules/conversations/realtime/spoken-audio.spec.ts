import { describe, expect, it } from '@jest/globals';
import { SpokenAudio } from './spoken-audio.js';

describe('SpokenAudio', () => {
  it('returns each byte once, in any number of pieces', () => {
    const speech = new SpokenAudio('answer-1', null, true);
    speech.addAudio(Buffer.from([1, 2]));
    expect([...speech.takeUnsent()]).toEqual([1, 2]);
    speech.addAudio(Buffer.from([3]));
    speech.addAudio(Buffer.from([4, 5]));
    expect([...speech.takeUnsent()]).toEqual([3, 4, 5]);
    expect(speech.takeUnsent()).toHaveLength(0);
  });

  it('continues in the middle of a piece', () => {
    const speech = new SpokenAudio('answer-1', null, true);
    speech.addText('ab cd');
    speech.addAudio(Buffer.from([1, 2, 3]));
    speech.addAudio(Buffer.from([4, 5]));
    speech.takeUnsent();
    speech.played = 2;
    expect(speech.takePlayed(5)).toBe('ab');
    speech.rewind(1, 5);
    expect([...speech.takeUnsent()]).toEqual([4, 5]);
    speech.rewind(2, 5);
    expect([...speech.takeUnsent()]).toEqual([3, 4, 5]);
  });

  it('continues with the first unplayed word where words have no spaces', () => {
    const speech = new SpokenAudio('answer-1', null, true);
    speech.addText('今天天气很好，我们去公园。');
    speech.addAudio(Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
    speech.takeUnsent();
    speech.played = 8;
    expect(speech.takePlayed(13)).toBe('今天天气很好，');
    speech.rewind(1, 13);
    expect([...speech.takeUnsent()]).toEqual([7, 8, 9, 10, 11, 12]);
  });

  it('copies a long speech once, not with every piece', () => {
    const speech = new SpokenAudio('answer-1', null, true);
    const piece = Buffer.alloc(160);
    const taken = Array.from({ length: 1_000 }, () => {
      speech.addAudio(piece);
      return speech.takeUnsent();
    });
    // A view of the piece itself.
    expect(taken.every(({ buffer }) => buffer === piece.buffer)).toBe(true);
  });
});

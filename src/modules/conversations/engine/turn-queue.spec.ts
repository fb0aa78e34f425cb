import { describe, expect, it } from '@jest/globals';
import { TurnQueue } from './turn-queue.js';

describe('the trigger of a turn that begins', () => {
  it('is the response to words that came since it was due', () => {
    const queue = new TurnQueue();
    queue.enqueueTurn('answer');
    expect(queue.newestTrigger('resume')).toBe('answer');
    expect(queue.awaitsResponse).toBe(false);
  });

  it('stays where those words were withdrawn', () => {
    const queue = new TurnQueue();
    queue.enqueueTurn('answer');
    queue.clearRequestedTurn();
    expect(queue.newestTrigger('resume')).toBe('resume');
  });

  it('is not replaced by an inactivity prompt', () => {
    const queue = new TurnQueue();
    queue.enqueueTurn('reengage');
    expect(queue.newestTrigger('answer')).toBe('answer');
  });
});

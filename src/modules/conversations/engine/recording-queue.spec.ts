import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from './clock.fake.js';
import { FakeRecorder, startConversation } from './conversation.fake.js';
import { toConversationResult } from './conversation-settings.js';
import { type ConversationRecorder, RecorderQueue } from './conversation-recorder.js';

Logger.overrideLogger(false);

const customer = (seq: number) => (recorder: ConversationRecorder) =>
  recorder.storeTurn({
    seq,
    role: 'customer',
    kind: 'speech',
    text: `line ${seq}`,
    timings: {},
    interrupted: false,
  });

/** Fails while the database is away. */
class AbsentRecorder extends FakeRecorder {
  isAway = true;
  tries = 0;

  override async storeTurn(...turn: Parameters<FakeRecorder['storeTurn']>): Promise<void> {
    this.tries += 1;
    if (this.isAway) throw new Error('away');
    await super.storeTurn(...turn);
  }
}

describe('the recording queue', () => {
  let clock: FakeClock;
  let recorder: AbsentRecorder;
  let queue: RecorderQueue;

  beforeEach(() => {
    clock = new FakeClock();
    recorder = new AbsentRecorder();
    queue = new RecorderQueue(recorder, clock);
  });

  it('stores everything in order after ten minutes without a database, and retries rarely meanwhile', async () => {
    for (let seq = 1; seq <= 50; seq += 1) queue.push(customer(seq));
    await clock.advance(600_000);
    expect(recorder.lines).toEqual([]);
    expect(recorder.tries).toBeLessThan(130);
    recorder.isAway = false;
    await clock.advance(5_000);
    expect(recorder.lines).toHaveLength(50);
    expect([...recorder.turns.keys()]).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('delays the end by 30 s at most, and stores the rest later', async () => {
    queue.push(customer(1));
    let over = false;
    void queue.conclude(toConversationResult('goodbye')).then(() => (over = true));
    await clock.advance(29_999);
    expect(over).toBe(false);
    await clock.advance(1);
    expect(over).toBe(true);
    recorder.isAway = false;
    await clock.advance(5_000);
    expect(recorder.lines).toEqual(['Customer: line 1']);
    expect(recorder.result).toEqual(toConversationResult('goodbye'));
    expect(clock.pending).toBe(0);
  });

  it('flushes the running batch when an entry waits after it', async () => {
    recorder.isAway = false;
    queue.push(customer(1));
    expect(recorder.flushes).toBe(0);
    queue.push(customer(2));
    queue.push(customer(3));
    expect(recorder.flushes).toBe(2);
    await clock.advance(0);
    // The third waited while the second was being stored; nothing waited for the third.
    expect(recorder.flushes).toBe(3);
    expect(recorder.lines).toHaveLength(3);
  });

  it('flushes every entry that an answer waits for', async () => {
    recorder.isAway = false;
    queue.push(customer(1));
    queue.push(customer(2));
    recorder.flushes = 0;
    await queue.waitBeforeResponse();
    expect(recorder.flushes).toBe(2);
    queue.push(customer(3));
    expect(recorder.flushes).toBe(2);
  });

  it('keeps the first 10,000 entries', async () => {
    for (let seq = 1; seq <= 10_100; seq += 1) queue.push(customer(seq));
    recorder.isAway = false;
    await clock.advance(5_000);
    expect(recorder.turns.size).toBe(10_000);
  });
});

describe('the reason of an end', () => {
  it('is stored after the last turn', async () => {
    const { begin, clock, session, recorder, model } = startConversation();
    model.willSay('Bye.', { call: 'end_call' });
    await begin();
    await session.customerSays('That is all.');
    await clock.advance(10_000);
    expect(recorder.result).toEqual({ endedBy: 'assistant', reason: 'goodbye' });
    expect(recorder.lines.at(-1)).toBe('AI: Bye.');
  });

  it('is a lost line when the session closes', async () => {
    const { begin, session, recorder } = startConversation();
    await begin();
    await session.emit({ kind: 'closed' });
    expect(recorder.result).toEqual({ endedBy: 'system', reason: 'line_lost' });
  });
});

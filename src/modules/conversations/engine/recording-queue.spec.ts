import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from './clock.fake.js';
import { FakeRecorder, startConversation } from './conversation.fake.js';
import { resultOf } from './conversation-settings.js';
import { type ConversationRecorder, RecordingQueue } from './conversation-recorder.js';

Logger.overrideLogger(false);

const customer = (seq: number) => (recorder: ConversationRecorder) =>
  recorder.turn({ seq, role: 'customer', text: `line ${seq}`, timings: {}, interrupted: false });

/** Fails while the database is away. */
class AbsentRecorder extends FakeRecorder {
  isAway = true;
  tries = 0;

  override async turn(...turn: Parameters<FakeRecorder['turn']>): Promise<void> {
    this.tries += 1;
    if (this.isAway) throw new Error('away');
    await super.turn(...turn);
  }
}

describe('the recording queue', () => {
  let clock: FakeClock;
  let recorder: AbsentRecorder;
  let queue: RecordingQueue;

  beforeEach(() => {
    clock = new FakeClock();
    recorder = new AbsentRecorder();
    queue = new RecordingQueue(recorder, clock);
  });

  it('stores everything in order after ten minutes without a database, and asks it rarely meanwhile', async () => {
    for (let seq = 1; seq <= 50; seq += 1) queue.push(customer(seq));
    await clock.advance(600_000);
    expect(recorder.lines).toEqual([]);
    expect(recorder.tries).toBeLessThan(130);
    recorder.isAway = false;
    await clock.advance(5_000);
    expect(recorder.lines).toHaveLength(50);
    expect([...recorder.turns.keys()]).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('is waited for 30 s at the end, and stores the rest later', async () => {
    queue.push(customer(1));
    let over = false;
    void queue.concluded(resultOf('goodbye')).then(() => (over = true));
    await clock.advance(29_999);
    expect(over).toBe(false);
    await clock.advance(1);
    expect(over).toBe(true);
    recorder.isAway = false;
    await clock.advance(5_000);
    expect(recorder.lines).toEqual(['Customer: line 1']);
    expect(recorder.result).toEqual(resultOf('goodbye'));
    expect(clock.pending).toBe(0);
  });

  it('hurries what is being stored when something waits behind it', async () => {
    recorder.isAway = false;
    queue.push(customer(1));
    expect(recorder.hurries).toBe(0);
    queue.push(customer(2));
    queue.push(customer(3));
    expect(recorder.hurries).toBe(2);
    await clock.advance(0);
    // The third waited while the second was being stored; nothing waited for the third.
    expect(recorder.hurries).toBe(3);
    expect(recorder.lines).toHaveLength(3);
  });

  it('hurries everything that an answer waits for', async () => {
    recorder.isAway = false;
    queue.push(customer(1));
    queue.push(customer(2));
    recorder.hurries = 0;
    await queue.storedBeforeAnswer();
    expect(recorder.hurries).toBe(2);
    queue.push(customer(3));
    expect(recorder.hurries).toBe(2);
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
    await session.customer('That is all.');
    await clock.advance(10_000);
    expect(recorder.result).toEqual({ endedBy: 'assistant', reason: 'goodbye' });
    expect(recorder.lines.at(-1)).toBe('AI: Bye.');
  });

  it('is that the line was lost when the session closes', async () => {
    const { begin, session, recorder } = startConversation();
    await begin();
    await session.happens({ kind: 'closed' });
    expect(recorder.result).toEqual({ endedBy: 'system', reason: 'line_lost' });
  });
});

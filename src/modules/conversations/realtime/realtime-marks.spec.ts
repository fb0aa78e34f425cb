import { describe, expect, it } from '@jest/globals';
import { audioMs } from '#src/modules/media/audio-line.js';
import { MarkedLine } from '#src/modules/media/marked-line.js';
import type { FakeClock } from '../engine/clock.fake.js';
import { flushPromises } from '../engine/clock.fake.js';
import { startConversation } from '../engine/conversation.fake.js';
import { ConversationEngine } from '../engine/conversation-engine.js';
import type { ConversationSettings } from '../engine/conversation-settings.js';
import { CHARACTER_MS, FakePhoneLine, openSession } from './realtime.fake.js';

/** How marks return: after the end of their audio, in milliseconds; none: lost. @param number of the mark, from 0 */
type MarkDelays = (number: number) => readonly number[];

const TRAITS: Record<string, MarkDelays> = {
  'in time': () => [0],
  '1.2 s late': () => [1_200],
  'late by differing times': (number) => [number % 2 === 0 ? 40 : 400],
  doubled: () => [0, 300],
  'lost every third time': (number) => (number % 3 === 1 ? [] : [0]),
  never: () => [],
};

/** Plays in real time, and sends the customer's audio every 20 ms. */
class TimedPhoneLine extends FakePhoneLine {
  private endsAt = 0;
  private silentMs = 0;
  private markCount = 0;
  private sentMs = 0;
  heardMs = 0;

  constructor(
    private readonly clock: FakeClock,
    private readonly delays: MarkDelays,
  ) {
    super();
    this.sendAudio();
  }

  override play(audio: Buffer): void {
    const now = this.clock.now();
    if (this.endsAt < now) this.silentMs += now - this.endsAt;
    this.endsAt = Math.max(this.endsAt, now) + audioMs(audio.length, this.format);
    this.sentMs += audioMs(audio.length, this.format);
  }

  override mark(name: string): void {
    const dueMs = Math.max(0, this.endsAt - this.clock.now());
    for (const ms of this.delays(this.markCount++))
      this.clock.setTimeout(() => void this.emit({ kind: 'mark', name }), dueMs + ms);
  }

  /** Marks of cleared audio are not needed: the session ignores them. */
  override clear(): void {
    this.clears += 1;
    this.heardMs = this.playedMs;
    this.endsAt = this.clock.now();
  }

  get playedMs(): number {
    return this.sentMs - Math.max(0, this.endsAt - this.clock.now());
  }

  private sendAudio(): void {
    this.clock.setTimeout(() => {
      if (this.ended === null) this.sendAudio();
      void this.emit({ kind: 'audio', audio: Buffer.alloc(160) });
    }, 20);
  }
}

async function begin(delays: MarkDelays, changes: Partial<ConversationSettings> = {}) {
  const { parts, recorder, settings, clock } = startConversation(changes);
  const line = new TimedPhoneLine(clock, delays);
  const opened = await openSession({}, clock, line, (own) => new MarkedLine(own, clock));
  const { session } = opened;
  const engine = new ConversationEngine({ ...parts, session, model: session }, settings);
  let reason: string | null = null;
  void engine.run().then((result) => (reason = result.reason));
  await flushPromises();
  return { ...opened, line, recorder, reason: () => reason };
}

const STORY =
  'Once upon a time there was a fox who lived in a wood with its seven little cubs and an old owl.';
const words = (text: string): number => text.split(' ').filter(Boolean).length;

describe('a line whose marks return', () => {
  it.each(Object.entries(TRAITS))(
    '%s: an interruption stores what was heard, give or take a word',
    async (_, delays) => {
      for (const afterMs of [700, 1_500, 2_400, 3_900]) {
        const { model, line, recorder, clock } = await begin(delays);
        await clock.advance(1_500);
        await model.customer('Tell me a story');
        await model.answers(STORY);
        await clock.advance(afterMs);
        await line.emit({ kind: 'interrupted' });
        const heard = STORY.slice(0, Math.floor(line.heardMs / CHARACTER_MS));
        const stored = (recorder.lines[1] ?? '').replace('AI: ', '');
        expect(line.heardMs).toBe(afterMs);
        expect(STORY.startsWith(stored)).toBe(true);
        expect(Math.abs(words(stored) - words(heard))).toBeLessThanOrEqual(1);
      }
    },
  );

  it.each(Object.entries(TRAITS))(
    '%s: the goodbye is stored, and the call ends within 3 s',
    async (_, delays) => {
      const { model, recorder, clock, session, reason } = await begin(delays, { maxDurationSeconds: 30 });
      await clock.advance(30_000);
      const goodbye = 'I have to end the call now. Thank you for your time, goodbye.';
      expect(model.requests.at(-1)).toMatchObject({ kind: 'sentence', text: goodbye });
      await model.answers(goodbye);
      await clock.advance(goodbye.length * CHARACTER_MS - 500);
      expect(reason()).toBeNull();
      await clock.advance(3_500);
      session.hangUp();
      expect(reason()).toBe('max_duration');
      expect(recorder.lines).toEqual([`AI: ${goodbye}`]);
      expect([...recorder.turns.values()].map(({ interrupted }) => interrupted)).toEqual([false]);
    },
  );
});

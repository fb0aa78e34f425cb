import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { redactionOptions } from '../redaction/redaction-options.js';
import { FakeClock } from './engine/clock.fake.js';
import { RecorderQueue, type RecordedTurn } from './engine/conversation-recorder.js';
import { toConversationResult, type ConversationResult } from './engine/conversation-settings.js';
import { FakeRecorder } from './engine/conversation.fake.js';
import { RedactingRecorder } from './redacting-recorder.js';

Logger.overrideLogger(false);

/** Keeps also what was stored in between, as readers of live events see it. */
class HistoryRecorder extends FakeRecorder {
  readonly texts: string[] = [];
  /** So many writes fail. */
  failures = 0;

  override async storeTurn(turn: RecordedTurn): Promise<void> {
    this.fail();
    this.texts.push(turn.text);
    await super.storeTurn(turn);
  }

  override async truncateTurn(seq: number, heardText: string): Promise<void> {
    this.fail();
    this.texts.push(heardText);
    await super.truncateTurn(seq, heardText);
  }

  override async storeEnd(result: ConversationResult): Promise<void> {
    this.fail();
    await super.storeEnd(result);
  }

  private fail(): void {
    if (this.failures-- > 0) throw new Error('away');
  }
}

describe('RedactingRecorder', () => {
  let stored: HistoryRecorder;
  let recorder: RedactingRecorder;

  beforeEach(() => {
    stored = new HistoryRecorder();
    recorder = new RedactingRecorder(stored, redactionOptions('en-US'));
  });

  const says = (seq: number, text: string) =>
    recorder.storeTurn({ seq, role: 'customer', kind: 'speech', text, interrupted: false, timings: {} });
  const speaks = (seq: number, text: string, timings: RecordedTurn['timings'] = {}) =>
    recorder.storeTurn({ seq, role: 'assistant', kind: 'speech', text, interrupted: false, timings });
  const SENT = { textLast: 1 };

  it('stores no digit of a number in several turns, and what is none in the end', async () => {
    await speaks(1, 'What is your card number?', SENT);
    await says(2, 'It is 4111 1111');
    await speaks(3, 'Go on.', SENT);
    await says(4, '1111 1111');
    await speaks(5, 'And your zip code?', SENT);
    await says(6, 'That is 90210');
    expect(stored.lines.at(-1)).toBe('Customer: That is [number]');
    await recorder.storeEnd(toConversationResult('goodbye'));
    expect(stored.lines).toEqual([
      'AI: What is your card number?',
      'Customer: It is [card number]',
      'AI: Go on.',
      'Customer: [card number]',
      'AI: And your zip code?',
      'Customer: That is 90210',
    ]);
    expect(stored.texts.join(' ')).not.toContain('1111');
  });

  describe.each([0, 1, 2, 3])('after a number of writes that fail: %s', (failures) => {
    let clock: FakeClock;
    let queue: RecorderQueue;

    beforeEach(() => {
      clock = new FakeClock();
      queue = new RecorderQueue(recorder, clock);
    });

    async function add(entry: () => Promise<void>): Promise<void> {
      stored.failures = failures;
      queue.push(entry);
      await clock.advance(60_000);
    }

    it('the question still says what the answer is', async () => {
      await add(() => speaks(1, 'What is your account number?', SENT));
      await add(() => says(2, '55779911'));
      expect(stored.lines.at(-1)).toBe('Customer: [iban]');
      expect(stored.texts.join(' ')).not.toContain('55779911');
    });

    it('both parts of a number are hidden', async () => {
      await add(() => says(1, '4111 1111'));
      await add(() => speaks(2, 'Go on.', SENT));
      await add(() => says(3, '1111 1111'));
      await add(() => speaks(4, 'And your zip code?', SENT));
      await add(() => says(5, '90210'));
      expect(stored.lines.at(-1)).toBe('Customer: [number]');
      await add(() => recorder.storeEnd(toConversationResult('goodbye')));
      const said = ['Customer: [card number]', 'AI: Go on.', 'Customer: [card number]'];
      expect(stored.lines).toEqual([...said, 'AI: And your zip code?', 'Customer: 90210']);
      expect(stored.texts.join(' ')).not.toContain('1111');
    });

    it('nothing is left of a number in which speech was interrupted', async () => {
      await add(() => speaks(1, 'Your card 4111 1111 1111 1111 is charged.', SENT));
      await add(() => recorder.truncateTurn(1, 'Your card 4111 11', 5));
      expect(stored.lines).toEqual(['AI: Your card [card number]']);
    });
  });

  it('stores speech that is not finished without its last word and number', async () => {
    const whole = 'Your card 4111 1111 1111 1111 is charged.';
    for (let length = 1; length < whole.length; length += 1) await speaks(1, whole.slice(0, length));
    await speaks(1, whole, SENT);
    expect(stored.lines).toEqual(['AI: Your card [card number] is charged.']);
    expect(stored.texts.filter((text) => /\d/.test(text))).toEqual([]);
  });

  it('stores nothing of a number in which speech was interrupted', async () => {
    await speaks(1, 'Your card 4111 1111 1111 1111 is charged.', { ...SENT, heardTo: 19 });
    expect(stored.turns.get(1)?.timings.heardTo).toBe('Your card [card number]'.length);
    await recorder.truncateTurn(1, 'Your card 4111 1111', 5);
    expect(stored.lines).toEqual(['AI: Your card [card number]']);
  });

  it.each([
    ['So that is 4111 1111 1111 11', 'So that is 4111 1111 1111 11'],
    ['So that is 4111', 'So that is 4111 1111 1111 11'],
    ['So that is 4111 1111 1111 11', 'So that is 4111 1111'],
    ['So that is 4111 1111 1111 11, and then', 'So that is 4111 1111'],
  ])('stores nothing of a number that was never finished: "%s", heard "%s"', async (said, heard) => {
    await speaks(1, said);
    await recorder.truncateTurn(1, heard, 5);
    expect(stored.lines).toEqual(['AI: So that is']);
  });

  it('keeps an order number at the end of whole speech', async () => {
    await speaks(1, 'Your order is 90210.', SENT);
    await recorder.truncateTurn(1, 'Your order is 90210.', 5);
    await speaks(2, 'Your order is 90210', SENT);
    await recorder.markTurnPlayed(2, 9);
    expect(stored.lines).toEqual(['AI: Your order is 90210.', 'AI: Your order is 90210']);
  });

  it('stores nothing of a number where an interruption has finished the speech', async () => {
    await speaks(1, 'So that is 4111 1111 1111 11', SENT);
    expect(stored.lines).toEqual(['AI: So that is']);
    await recorder.truncateTurn(1, 'So that is 4111 1111', 5);
    expect(stored.lines).toEqual(['AI: So that is']);
  });

  it('stores the end of speech that was never sent as finished when it was heard', async () => {
    await speaks(1, 'Good morning');
    expect(stored.lines).toEqual(['AI: Good']);
    await recorder.markTurnPlayed(1, 9);
    expect(stored.lines).toEqual(['AI: Good morning']);
    expect(stored.played.get(1)).toBe(9);
  });

  it('stores tools without numbers', async () => {
    await recorder.storeToolCall({
      seq: 2,
      name: 'charge',
      arguments: { card: '4111111111111111', amount: 20 },
      outcome: { ok: false, error: 'No card 4111111111111111', durationMs: 1, statusCode: 422 },
      answer: '{"error":"No card 4111111111111111","mail":"a@example.com"}',
    });
    expect(stored.tools).toMatchObject([
      {
        arguments: { card: '[card number]', amount: 20 },
        outcome: { error: 'No card [card number]' },
        answer: '{"error":"No card [card number]","mail":"[email]"}',
      },
    ]);
  });

  it('follows the language of the call', async () => {
    await says(1, 'null eins fünf eins zwo drei vier fünf sechs sieben acht neun');
    await recorder.storeToolCall({
      seq: 2,
      name: 'switch_language',
      arguments: { language: 'de' },
      outcome: { ok: true, result: { language: 'de-DE' }, durationMs: 0, statusCode: null },
      answer: '{}',
    });
    await says(3, 'vier eins eins eins eins eins eins eins eins eins eins eins eins eins eins eins');
    expect(stored.turns.get(3)?.text).toBe('[card number]');
  });

  it('stores no removed turn again', async () => {
    await says(1, '4111');
    await recorder.truncateTurn(1, '', 5);
    await recorder.storeEnd(toConversationResult('goodbye'));
    expect(stored.lines).toEqual([]);
  });
});

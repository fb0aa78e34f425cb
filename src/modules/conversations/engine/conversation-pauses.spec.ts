import { describe, expect, it } from '@jest/globals';
import { FakeCallSession, startConversation } from './conversation.fake.js';

/** A part of what the customer says, in milliseconds. */
interface Part {
  lasts: number;
  /** Pause before it. */
  after?: number;
  /** Its transcript; empty: a sound without words. Null: none comes. */
  words: string | null;
}

/** When a session reports the end of a part, and its transcript after that. `each`: one for each part, in order. */
interface Recogniser {
  endMs: number;
  lateMs: number;
  each: boolean;
}

const PROVIDER: Recogniser = { endMs: 600, lateMs: 500, each: true };
const LATE_PROVIDER: Recogniser = { ...PROVIDER, lateMs: 1_500 };
const MULTIMODAL: Recogniser = { endMs: 600, lateMs: 900, each: false };
const RELAY: Recogniser = { endMs: 0, lateMs: 950, each: false };

const ANSWER = 'On Friday there is.';
const FIRST: Part = { lasts: 1_200, words: 'Is there a place free on' };
const SECOND: Part = { lasts: 1_600, words: 'Friday afternoon or Saturday?' };
const THIRD: Part = { lasts: 900, words: 'At three or four?' };
const COUGH: Part = { lasts: 200, words: '' };

/** Plays the parts, and 5 s more. @returns what the model and the customer got */
async function hear(parts: readonly Part[], { endMs, lateMs, each }: Recogniser, thinkMs = 300) {
  const own = each ? { transcribesEach: true, maxTranscriptDelayMs: 3_000 } : {};
  const conversation = startConversation({}, null, Object.assign(new FakeCallSession(), own));
  const { clock, session, model, begin } = conversation;
  for (const answer of [ANSWER, 'Another answer.']) model.willSay({ waitMs: thinkMs }, answer);
  await begin();
  let speaking = false;
  let [end, endedAt] = [0, 0];
  const events: { at: number; run: () => Promise<void> }[] = [];
  const voice = (at: number, on: boolean) => events.push({ at, run: async () => void (speaking = on) });
  const report = (at: number, on: boolean) =>
    events.push({ at, run: () => session.emit({ kind: 'speaking', who: 'customer', on }) });
  for (const { after = 0, lasts, words } of parts) {
    const start = end + after;
    end = start + lasts;
    voice(start, true);
    report(start, true);
    voice(end, false);
    report(end + endMs, false);
    if (words !== null) events.push({ at: end + endMs + lateMs, run: () => session.customerSays(words) });
  }
  const spoken: { at: number; over: boolean }[] = [];
  const { say } = session;
  session.say = (...frame) => {
    spoken.push({ at: clock.now(), over: speaking });
    say.apply(session, frame);
  };
  for (const { at, run } of events.sort((one, other) => one.at - other.at)) {
    await clock.advance(at - clock.now());
    await run();
    endedAt = at;
  }
  await clock.advance(5_000);
  return {
    speeches: session.speeches,
    talksOver: spoken.some(({ over }) => over),
    /** After the last event of the customer. */
    answeredAfter: (spoken[0]?.at ?? Infinity) - endedAt,
    requests: model.requests.map(({ messages }) =>
      messages.flatMap((message) => (message.role === 'customer' ? [message.text] : [])),
    ),
  };
}

const BOTH = {
  speeches: [ANSWER],
  talksOver: false,
  requests: [[FIRST.words, SECOND.words]],
};

describe('a customer who pauses in a sentence', () => {
  it.each([
    ['0.7 s, with speech providers', 700, PROVIDER],
    ['0.9 s, with speech providers', 900, PROVIDER],
    ['0.9 s, with providers whose words come 1.5 s late', 900, LATE_PROVIDER],
    ['2 s, with providers whose words come 1.5 s late', 2_000, LATE_PROVIDER],
    ['0.9 s, in multimodal mode', 900, MULTIMODAL],
    ['1.3 s, in multimodal mode', 1_300, MULTIMODAL],
    ['0.7 s, on the relay', 700, RELAY],
    ['0.9 s, on the relay', 900, RELAY],
  ])('for %s gets one answer to the whole', async (_, after, recogniser) => {
    expect(await hear([FIRST, { ...SECOND, after }], recogniser)).toMatchObject(BOTH);
  });

  it.each([
    [900, { ...RELAY, lateMs: 1_500 }],
    [1_200, { ...RELAY, lateMs: 1_300 }],
    [2_000, { ...MULTIMODAL, lateMs: 1_500 }],
  ])('for %i ms is not talked over when words are later than expected: %j', async (after, recogniser) => {
    const { talksOver, requests } = await hear([FIRST, { ...SECOND, after }], recogniser);
    expect([talksOver, requests.at(-1)]).toEqual([false, [FIRST.words, SECOND.words]]);
  });

  it('gets one answer to a second part that ends before the words of the first arrive', async () => {
    const short: Part = { after: 700, lasts: 300, words: 'Friday?' };
    expect(await hear([FIRST, short], LATE_PROVIDER, 0)).toMatchObject({
      ...BOTH,
      requests: [[FIRST.words, 'Friday?']],
    });
  });

  it.each([PROVIDER, LATE_PROVIDER, MULTIMODAL, RELAY])(
    'gets one answer to three parts: %j',
    async (line) => {
      const parts = [FIRST, { ...SECOND, after: 900 }, { ...THIRD, after: 900 }];
      expect(await hear(parts, line)).toMatchObject({
        speeches: [ANSWER],
        talksOver: false,
        requests: [parts.map(({ words }) => words)],
      });
    },
  );

  it.each([
    ['a cough', PROVIDER, COUGH, 300],
    ['a cough, words late', LATE_PROVIDER, COUGH, 300],
    ['a cough without a transcript, in multimodal mode', MULTIMODAL, { ...COUGH, words: null }, 1_600],
    ['a cough without a transcript, on the relay', RELAY, { ...COUGH, words: null }, 1_600],
    ['a sound of agreement', PROVIDER, { lasts: 300, words: 'Uh-huh.' }, 300],
  ])('and then makes %s is answered promptly', async (_, line, second, withinMs) => {
    const { speeches, talksOver, requests, answeredAfter } = await hear(
      [FIRST, { ...second, after: 900 }],
      line,
    );
    expect([speeches, talksOver, requests.length]).toEqual([[ANSWER], false, 1]);
    expect(answeredAfter).toBeLessThanOrEqual(withinMs);
  });

  it('is answered at once when the next part has not begun', async () => {
    const { speeches, answeredAfter } = await hear([FIRST], PROVIDER);
    expect([speeches, answeredAfter]).toEqual([[ANSWER], 300]);
  });

  it('is answered although a transcript is missing', async () => {
    const { speeches, requests } = await hear(
      [
        { ...FIRST, words: null },
        { ...SECOND, after: 900 },
      ],
      PROVIDER,
    );
    expect([speeches, requests]).toEqual([[ANSWER], [[SECOND.words]]]);
  });

  it('does not hear the assistant while words of the current part are recognised', async () => {
    const { clock, session, model, begin } = startConversation();
    model.willSay(ANSWER);
    await begin();
    const speaking = (on: boolean) => session.emit({ kind: 'speaking', who: 'customer', on });
    await speaking(true);
    await speaking(false);
    await speaking(true);
    await session.customerSays('Is there a place free on');
    for (let seconds = 0; seconds < 20; seconds += 2) {
      await session.emit({ kind: 'utterance', text: 'Friday or', final: false });
      await clock.advance(2_000);
    }
    expect(session.speeches).toEqual([]);
    await speaking(false);
    await session.customerSays('Friday or Saturday?');
    expect(session.speeches).toEqual([ANSWER]);
  });

  it('keeps interrupted speech until the current part is known, when the part before had no words', async () => {
    const session = Object.assign(new FakeCallSession(), { transcribesEach: true });
    const { clock, begin } = startConversation(
      { greeting: 'Hello, this is Ada of the bicycle shop.' },
      null,
      session,
    );
    const speaking = (on: boolean) => session.emit({ kind: 'speaking', who: 'customer', on });
    await begin();
    await speaking(true);
    await session.interrupt('Hello, this');
    await speaking(false);
    await speaking(true);
    await session.customerSays('');
    await clock.advance(1_000);
    expect(session.speeches).toEqual([]);
    await speaking(false);
    await session.customerSays('');
    expect(session.speeches).toEqual(['is Ada of the bicycle shop.']);
  });

  it('does not keep interrupted speech while a third part goes on, when two parts had no words', async () => {
    const { session, model, begin } = startConversation();
    model.willSay('We have three appointments this week.');
    await begin();
    await session.customerSays('When?');
    const speaking = (on: boolean): Promise<void> => session.emit({ kind: 'speaking', who: 'customer', on });
    await speaking(true);
    await session.interrupt('We have three');
    for (const speeches of [1, 2]) {
      await speaking(false);
      await speaking(true);
      await session.emit({ kind: 'utterance', text: '', final: true });
      expect(session.speeches).toHaveLength(speeches);
    }
  });
});

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CallSessionEvent } from '../telephony/call-session.js';
import { fakeRelaySettings } from '../telephony/telephony.fake.js';
import { SpeechError } from './speech-error.js';
import {
  FakeAudioLine,
  FakeSynthesizer,
  FakeTranscriber,
  FakeVoiceDetector,
  playFor,
} from './speech.fake.js';
import type { SpeechVoice } from './speech-queue.js';
import { SpeechSession } from './speech-session.js';

const PLAIN = { interruptible: true, preemptible: false };
const access = { baseUrl: 'http://provider', apiKey: 'key', model: 'model' };
const SENTENCE = 'We open at nine on Monday and close at six.';
const lost = new SpeechError('lost', true);
const refused = new SpeechError('refused: 401', false, 401);

let line: FakeAudioLine;
let events: CallSessionEvent[];
let transcriber: FakeTranscriber;
let voices: Record<'first' | 'second' | 'third', FakeSynthesizer>;
let failures: string[];

beforeEach(() => {
  Logger.overrideLogger(false);
  jest.useFakeTimers();
  line = new FakeAudioLine();
  transcriber = new FakeTranscriber();
  voices = { first: new FakeSynthesizer(), second: new FakeSynthesizer(), third: new FakeSynthesizer() };
  events = [];
  failures = [];
});
afterEach(() => void jest.useRealTimers());

const voiceOf = (name: keyof typeof voices): SpeechVoice => ({
  name,
  synthesizer: voices[name],
  provider: access,
  voice: `voice of ${name}`,
  speed: 1,
  stability: 0.7,
  similarity: 0.5,
});

async function open(...others: (keyof typeof voices)[]): Promise<SpeechSession> {
  const session = new SpeechSession(
    { line, transcriber, detector: new FakeVoiceDetector() },
    {
      relay: fakeRelaySettings(),
      interrupts: () => false,
      isShortAnswer: () => false,
      transcription: { name: 'listens', access },
      voices: [voiceOf('first'), ...others.map(voiceOf)],
      onProviderFailed: ({ kind, provider, voice }, { message }) =>
        failures.push(`${kind} ${provider} ${voice}: ${message}`),
    },
  );
  session.onEvent((event) => events.push(event));
  await run(0);
  return session;
}

const run = (ms: number): Promise<void> => playFor(line, ms);
const spoken = (name: keyof typeof voices): string[] => voices[name].requests.map(({ text }) => text);
const played = (): string => events.map((event) => (event.kind === 'played' ? event.text : '')).join('');

describe('SpeechSession: a voice that fails', () => {
  it.each([
    ['breaks off', lost],
    ['stalls', 'silence' as const],
  ])('and %s once in a sentence is asked for the rest of it, and speaks on', async (_, cut) => {
    const session = await open('second');
    session.say('A sentence from which its speed is known.', true, PLAIN);
    await run(3_000);
    voices.first.cuts.push(cut);
    session.say(`${SENTENCE} Thank you.`, true, PLAIN);
    await run(6_000);
    expect(spoken('first').slice(1)).toEqual([SENTENCE, 'Monday and close at six.', 'Thank you.']);
    expect([spoken('second'), failures]).toEqual([[], []]);
    expect(played()).toBe(`A sentence from which its speed is known.${SENTENCE} Thank you.`);
  });

  it('and breaks off twice in a sentence without another voice ends the session', async () => {
    const session = await open();
    voices.first.cuts.push(lost, lost);
    session.say(SENTENCE, true, PLAIN);
    await run(5_000);
    expect([session.failed, failures.length]).toEqual([true, 1]);
  });

  it('is replaced by the next ones in mid-sentence, whose words are reported once', async () => {
    const session = await open('second', 'third');
    voices.first.cuts.push(lost, lost);
    voices.second.cuts.push(lost);
    session.say(SENTENCE, true, PLAIN);
    await run(5_000);
    const [[second = ''], [third = '']] = [spoken('second'), spoken('third')];
    // Half of a voice of 50 ms for each character, at the slowest rate that is assumed: no word is left out.
    expect([SENTENCE.endsWith(second), SENTENCE.endsWith(third)]).toEqual([true, true]);
    expect(second.length).toBeGreaterThan(SENTENCE.length / 2);
    expect(third.length).toBeLessThanOrEqual(second.length);
    expect([played(), session.failed]).toEqual([SENTENCE, false]);
    expect(failures).toEqual([
      'synthesizer first voice of first: lost',
      'synthesizer second voice of second: lost',
    ]);
  });

  it('is replaced at the position of the break, estimated by its own speed, when that is known', async () => {
    const session = await open('second');
    session.say('A sentence from which it is known.', true, PLAIN);
    await run(3_000);
    voices.first.cuts.push(refused);
    session.say(SENTENCE, true, PLAIN);
    await run(5_000);
    // Half of the sentence is in the word `Monday`.
    expect(spoken('second')).toEqual(['Monday and close at six.']);
    expect(played()).toBe(`A sentence from which it is known.${SENTENCE}`);
  });

  it('is replaced from the first word, and is not requested again', async () => {
    const session = await open('second');
    voices.first.failures.push(refused);
    session.say(`${SENTENCE} Thank you.`, true, PLAIN);
    await run(6_000);
    expect(spoken('first')).toEqual([SENTENCE]);
    expect(spoken('second')).toEqual([SENTENCE, 'Thank you.']);
    expect(played()).toBe(`${SENTENCE} Thank you.`);
  });

  it.each(['before its first word', 'in a sentence'])('by silence %s is replaced soon', async (when) => {
    const session = await open('second', 'third');
    const isEarly = when === 'before its first word';
    if (isEarly) [voices.first, voices.second].forEach((voice) => voice.block());
    else {
      voices.first.cuts.push('silence', 'silence');
      voices.second.cuts.push('silence');
    }
    session.say(SENTENCE, true, PLAIN);
    // At most 2 s of silence, and what was spoken of the sentence before: half of it, and twice half of the rest.
    await run(isEarly ? 2_100 : 4_600);
    expect(spoken('third')).toHaveLength(1);
    await run(3_000);
    expect([played(), session.failed, failures.length]).toEqual([SENTENCE, false, 2]);
  });

  it('is awaited for 2.5 s when there is no other, and ends the session when it fails', async () => {
    const session = await open();
    voices.first.block();
    session.say(SENTENCE, true, PLAIN);
    await run(2_400);
    expect([session.failed, failures]).toEqual([false, []]);
    voices.first.resume();
    await run(5_000);
    voices.first.failures.push(refused);
    session.say('One more.', true, PLAIN);
    await run(100);
    expect([session.failed, failures]).toEqual([true, ['synthesizer first voice of first: refused: 401']]);
  });

  it.each([
    ['only', [], 2_500],
    // The first one has 1.2 s.
    ['last', ['second'], 3_700],
  ] as const)(
    'that is the %s one and stays silent ends the session, and is asked once',
    async (_, others, ms) => {
      const session = await open(...others);
      for (const voice of [voices.first, voices.second]) voice.block();
      session.say(SENTENCE, true, PLAIN);
      await run(ms - 100);
      expect(session.failed).toBe(false);
      await run(200);
      expect([session.failed, events.at(-1)]).toEqual([true, { kind: 'closed' }]);
      expect([spoken('first'), spoken('second')]).toEqual([[SENTENCE], others.map(() => SENTENCE)]);
    },
  );

  it('whose audio is too short for the text is retried, and then replaced', async () => {
    const session = await open('second');
    voices.first.cuts.push('noise');
    session.say(SENTENCE, true, PLAIN);
    await run(4_000);
    expect([spoken('first'), played(), failures]).toEqual([[SENTENCE, SENTENCE], SENTENCE, []]);
    voices.first.cuts.push('noise', 'noise');
    session.say('Anything else?', true, PLAIN);
    await run(3_000);
    expect([spoken('second'), failures.length]).toEqual([['Anything else?'], 1]);
    expect(played()).toBe(`${SENTENCE}Anything else?`);
  });

  it('is not replaced when the customer interrupts', async () => {
    const session = await open('second');
    session.say(SENTENCE, true, PLAIN);
    await run(500);
    line.receive({ kind: 'digit', digit: '1' });
    await run(3_000);
    expect([spoken('second'), failures]).toEqual([[], []]);
  });
});

it('reports a transcription that fails', async () => {
  const session = await open();
  transcriber.emit({ kind: 'failed', error: refused });
  expect([session.failed, failures]).toEqual([true, ['transcriber listens null: refused: 401']]);
});

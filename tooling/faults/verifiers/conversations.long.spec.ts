import { describe, expect, it } from '@jest/globals';
import {
  verifyConversations,
  type ConversationRules,
  type HeardSpeech,
  type ObservedCall,
} from './conversations.js';

const RULES: ConversationRules = {
  msPerCharacter: 60,
  maxDocuments: 6,
  maxSilenceMs: 5_000,
  fillers: ['One moment, please.'],
  wordsAtBreak: 0,
  killedAt: null,
  waits: { between: () => 0 },
};

const ai = (at: number, text: string, fields: Partial<HeardSpeech> = {}): HeardSpeech => ({
  at,
  who: 'assistant',
  text,
  heard: text,
  whole: true,
  ...fields,
});
const customer = (at: number, text: string, reported = true): HeardSpeech => ({
  at,
  who: 'callee',
  text,
  reported,
});

const GREETING = 'Hello, this is Ada.';
const WISH = 'I would like an appointment.';
const seen = (fields: Partial<ObservedCall> = {}): ObservedCall => ({
  name: '0020',
  id: 1,
  status: 'completed',
  endedBy: 'assistant',
  endedReason: 'goodbye',
  toldReason: 'goodbye',
  transcript: `AI: ${GREETING}\nCustomer: ${WISH}\nAI: Goodbye.`,
  speech: [ai(3_000, GREETING), customer(12_000, WISH), ai(14_000, 'Goodbye.')],
  socketLostAt: [],
  documents: 2,
  documentsAt: [1_000],
  stalledMs: 0,
  interruptedAt: [],
  answeredAt: 1_000,
  endedAt: 14_500,
  ...fields,
});
const problems = (fields: Partial<ObservedCall>, rules: Partial<ConversationRules> = {}): string[] =>
  verifyConversations([seen(fields)], { ...RULES, ...rules });

describe('verifyConversations', () => {
  it('accepts a call whose transcript is the heard part', () => {
    expect(problems({})).toEqual([]);
  });

  it('accepts the beginning of truncated speech, keys, and words that are not forwarded', () => {
    const speech = [
      ai(2_500, 'Hello, this is A', { heard: 'Hello, this is', whole: false }),
      customer(4_000, 'Uh-huh.', false),
      customer(12_000, WISH),
      ai(14_000, 'Goodbye.'),
    ];
    const transcript = `AI: Hello, this is\nCustomer: [keys pressed: ****]\nCustomer: ${WISH}\nAI: Goodbye.`;
    expect(problems({ speech, transcript })).toEqual([]);
  });

  it('compares fillers, complete and truncated, as other speech', () => {
    const speech = [
      ai(3_000, GREETING),
      customer(6_000, WISH),
      ai(10_000, 'One moment, please.'),
      ai(13_000, 'One mom', { heard: 'One', whole: false }),
      ai(14_000, 'Goodbye.'),
    ];
    const transcript = `AI: ${GREETING}\nCustomer: ${WISH}\nAI: One moment, please.\nAI: One\nAI: Goodbye.`;
    expect(problems({ speech, transcript })).toEqual([]);
    expect(problems({ speech, transcript: transcript.replace('\nAI: One\n', '\n') })).toHaveLength(1);
  });

  it('does not count silence after complete speech against the service', () => {
    const speech = [ai(3_000, GREETING), customer(42_000, WISH), ai(44_000, 'Goodbye.')];
    expect(problems({ speech, endedAt: 44_500 })).toEqual([]);
  });

  it.each<[string, Partial<ObservedCall>, RegExp]>([
    ['a call that the carrier still holds', { endedAt: null, status: 'in-progress' }, /stuck/],
    ['a call that is not final', { status: 'ended' }, /is ended after/],
    ['another reason than the service told the carrier', { toldReason: 'silence' }, /the reason silence/],
    ['a call without a reason', { endedReason: null }, /without a named reason/],
    ['a call that nobody ended', { endedBy: null }, /without a named reason/],
    ['a loop of documents', { documents: 7 }, /7 documents/],
    [
      'a line that was not heard so',
      { transcript: seen().transcript.replace('Ada', 'Eve') },
      /line 1 of AI: heard "Hello, this is Ada.", stored "Hello, this is Eve."/,
    ],
    [
      'a line that is missing',
      { transcript: `AI: ${GREETING}\nAI: Goodbye.` },
      /line 1 of Customer: heard .* stored nothing/,
    ],
    [
      'a line that nobody heard',
      { transcript: `${seen().transcript}\nAI: Bye.` },
      /line 3 of AI: heard nothing, stored "Bye."/,
    ],
    ['a late first word', { answeredAt: -4_000 }, /silent for 5.9 s between the answer and AI/],
    [
      'a late answer',
      { speech: [ai(3_000, GREETING), customer(5_000, WISH), ai(14_000, 'Goodbye.')] },
      /silent for 8.5 s between Customer/,
    ],
    [
      'a silence after a filler',
      {
        speech: [
          ai(3_000, GREETING),
          customer(6_000, WISH),
          ai(8_000, 'One moment, please.'),
          ai(14_000, 'Goodbye.'),
        ],
        transcript: `AI: ${GREETING}\nCustomer: ${WISH}\nAI: One moment, please.\nAI: Goodbye.`,
      },
      /silent for 5.5 s between AI "One moment/,
    ],
    [
      'a silence after speech that was cut short',
      {
        speech: [
          ai(3_000, GREETING, { whole: false }),
          ai(14_000, 'Goodbye.'),
          customer(14_100, 'Oh.', false),
        ],
        transcript: `AI: ${GREETING}\nAI: Goodbye.`,
      },
      /silent for 10.5 s/,
    ],
    [
      'a last word that is not answered',
      {
        speech: [ai(3_000, GREETING), customer(6_000, WISH)],
        transcript: `AI: ${GREETING}\nCustomer: ${WISH}`,
      },
      /silent for 8.5 s between Customer .* and the end/,
    ],
  ])('flags %s', (_, fields, expected) => {
    expect(problems(fields)).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    ['just before', 12_400, []],
    ['long before', 12_600, [expect.stringContaining('-600 ms from the kill, stored nothing')]],
    ['just after', 11_960, []],
    ['long after', 11_900, [expect.stringContaining('100 ms from the kill, stored nothing')]],
  ])('treats words as lost that are spoken %s the process is killed', (_, killedAt, found) => {
    const transcript = `AI: ${GREETING}\nAI: Goodbye.`;
    const socketLostAt = [killedAt + 50];
    expect(problems({ transcript, socketLostAt }, { killedAt })).toEqual(found);
  });

  it.each([
    ['just before', 2_900, []],
    ['long before', 2_400, [expect.stringContaining('heard "Well" 800 ms from the kill')]],
    ['after', 3_100, [expect.stringContaining('heard "Well" 800 ms from the kill')]],
  ])('treats speech as lost that begins %s the process is killed', (_, from, found) => {
    const speech = [ai(3_800, 'Well', { whole: false, from }), ai(6_000, GREETING), customer(12_000, WISH)];
    const transcript = `AI: ${GREETING}\nCustomer: ${WISH}`;
    const rules = { killedAt: 3_000, maxSilenceMs: null };
    expect(problems({ speech, transcript, socketLostAt: [3_010] }, rules)).toEqual(found);
    const whole = speech.map((one) => ({ ...one, whole: true }));
    expect(problems({ speech: whole, transcript, socketLostAt: [3_010] }, rules)).toEqual(found);
  });

  it('treats the rest of an answer as lost when a killed process stored its beginning', () => {
    const speech = [ai(6_000, 'Well, good day.', { from: 2_900 }), ai(8_000, GREETING)];
    const rules = { killedAt: 3_000, maxSilenceMs: null };
    const found = (stored: string) =>
      problems({ speech, transcript: `AI: ${stored}\nAI: ${GREETING}`, socketLostAt: [3_010] }, rules);
    expect(found('Well,')).toEqual([]);
    expect(found('Good day.')).toHaveLength(1);
  });

  it('requires no answer to lost words', () => {
    const transcript = `AI: ${GREETING}\nAI: Goodbye.`;
    const speech = [ai(3_000, GREETING), customer(6_000, WISH), ai(14_000, 'Goodbye.')];
    expect(problems({ transcript, speech }, { killedAt: 6_100 })).toEqual([]);
    expect(problems({ speech }, { killedAt: 6_100 })).toEqual([expect.stringContaining('silent for')]);
  });

  it('measures no silence where the rules require none', () => {
    expect(problems({ answeredAt: -9_000 }, { maxSilenceMs: null })).toEqual([]);
  });

  it.each([
    ['one word', 'Hello, this', []],
    ['two words', 'Hello,', [expect.stringContaining('heard "Hello, this is"')]],
    ['another word', 'Hello, that is', [expect.stringContaining('heard "Hello, this is"')]],
  ])('accepts at a break %s of difference', (_, line, found) => {
    const speech = [{ at: 1_000, who: 'assistant', text: 'Hello, this is', whole: false } as const];
    const broken = { speech, transcript: `AI: ${line}`, endedAt: 1_100 };
    expect(problems(broken, { wordsAtBreak: 1, maxSilenceMs: null })).toEqual(found);
    expect(problems(broken, { maxSilenceMs: null })).toHaveLength(1);
  });

  it('excludes the time in which service and carrier wait for a processor', () => {
    const between = (from: number, until: number): number => (until - from) / 2;
    expect(problems({ answeredAt: -4_000 }, { waits: { between } })).toEqual([]);
    expect(problems({ answeredAt: -9_000 }, { waits: { between } })).toEqual([
      expect.stringContaining('silent for 5.4 s'),
    ]);
    const speech = [{ at: 1_000, who: 'assistant', text: 'Hello, this is', whole: false } as const];
    const broken = { speech, transcript: 'AI: Hello,', endedAt: 1_100 };
    const rules = { wordsAtBreak: 1, maxSilenceMs: null };
    expect(problems(broken, { ...rules, waits: { between: () => 360 } })).toEqual([]);
    expect(problems(broken, { ...rules, waits: { between: () => 359 } })).toHaveLength(1);
  });
});

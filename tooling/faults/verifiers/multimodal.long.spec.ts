import { describe, expect, it } from '@jest/globals';
import type { HeardSpeech, ObservedCall } from './conversations.js';
import { lostAtKill, verifyMultimodal, type MultimodalRules } from './multimodal.js';

const NOTICE = 'You speak with a machine.';
const GREETING = 'Hello, this is Ada.';
const RULES: MultimodalRules = {
  greeting: GREETING,
  notice: NOTICE,
  maxDocuments: 3,
  killedAt: null,
};
const ai = (at: number, text: string, fields: Partial<HeardSpeech> = {}): HeardSpeech => ({
  at,
  from: at - 1_000,
  who: 'assistant',
  text,
  heard: text,
  whole: true,
  ...fields,
});
const said = (at: number, text: string): HeardSpeech => ({ at, who: 'callee', text, reported: true });

const call = (fields: Partial<ObservedCall> = {}): ObservedCall => ({
  name: '0020',
  id: 1,
  status: 'completed',
  endedBy: 'assistant',
  endedReason: 'goodbye',
  toldReason: null,
  transcript: `AI: ${NOTICE} ${GREETING}\nCustomer: [keys pressed: 1]\nCustomer: Good day.\nAI: What is it?`,
  speech: [ai(2_000, NOTICE), ai(4_000, GREETING), said(9_000, 'Good day.'), ai(11_000, 'What is it?')],
  socketLostAt: [],
  documents: 1,
  documentsAt: [1_000],
  stalledMs: 0,
  interruptedAt: [],
  answeredAt: 1_000,
  endedAt: 20_000,
  ...fields,
});
const problems = (fields: Partial<ObservedCall>, rules: Partial<MultimodalRules> = {}): string[] =>
  verifyMultimodal([call(fields)], { ...RULES, ...rules });

describe('verifyMultimodal', () => {
  it('accepts the heard part, whatever the turns are', () => {
    expect(problems({})).toEqual([]);
    const transcript = `AI: ${NOTICE}\nAI: ${GREETING} What is it?\nCustomer: Good\nCustomer: day.`;
    expect(problems({ transcript })).toEqual([]);
  });

  it('accepts what the end of the call left of an utterance, and no more than was sent', () => {
    const speech = [
      ai(2_000, NOTICE),
      { ...said(19_000, 'Good day. I would'), whole: false },
      ai(19_500, GREETING),
    ];
    const ended = (words: string) =>
      problems({ speech, transcript: `AI: ${NOTICE} ${GREETING}\nCustomer: ${words}` });
    expect(ended('Good day.')).toEqual([]);
    expect(ended('[not transcribed]')).toEqual([]);
    expect(ended('Good day. I would like')).toHaveLength(1);
  });

  it('accepts a mark in place of words only where a session of the model ended', () => {
    const transcript = `AI: ${NOTICE} ${GREETING}\nCustomer: [not transcribed]\nAI: What is it?`;
    expect(problems({ transcript, documentsAt: [1_000, 10_000] })).toEqual([]);
    expect(problems({ transcript })).toHaveLength(1);
  });

  it.each([
    ['two where a session of the model ended', 2, [1_000, 10_000], true, 0],
    ['three there', 3, [1_000, 10_000], true, 1],
    ['one in a whole session', 1, [1_000], true, 1],
    ['one on a clean line', 1, [1_000, 10_000], false, 1],
  ])('judges marks of sounds on a line with traits: %s', (_, marks, documentsAt, hasTraits, found) => {
    const sounds = 'Customer: [not transcribed]\n'.repeat(marks);
    const transcript = `AI: ${NOTICE} ${GREETING}\n${sounds}Customer: Good day.\nAI: What is it?`;
    expect(problems({ transcript, documentsAt }, { hasTraits })).toHaveLength(found);
  });

  it.each([
    ['a session ended there', [1_000, 4_000], true, 'Good day', 0],
    ['no session ended', [1_000], true, 'Good day', 1],
    ['other words are stored', [1_000, 4_000], true, 'Good night', 1],
    ['the line has no traits', [1_000, 4_000], false, 'Good day', 2],
  ])('judges two words less, and a part of the last words: %s', (_, documentsAt, hasTraits, words, found) => {
    const cut = { ...ai(3_500, `${NOTICE} Hello, this is`), whole: false };
    const speech = [ai(2_000, NOTICE), cut, ai(6_000, 'this is Ada.'), said(19_000, 'Good day to you.')];
    const transcript = `AI: ${NOTICE} Hello,\nAI: this is Ada.\nCustomer: ${words}`;
    expect(problems({ speech, transcript, documentsAt, endedAt: 20_000 }, { hasTraits })).toHaveLength(found);
  });

  it('accepts a mark in place of sentences of one turn, in which a session of the model ended', () => {
    const transcript = `AI: ${NOTICE} ${GREETING}\nCustomer: [not transcribed]\nAI: What is it?`;
    const lost = (between: HeardSpeech[]) => {
      const sentences = [said(5_000, 'Good day.'), ...between, said(9_000, 'How are you?')];
      const speech = [ai(2_000, NOTICE), ai(4_000, GREETING), ...sentences, ai(11_000, 'What is it?')];
      return problems({ speech, transcript, documentsAt: [1_000, 10_000] });
    };
    expect(lost([])).toEqual([]);
    expect(lost([said(6_000, 'Hello?')])).toEqual([]);
  });

  it('accepts the mark for words up to 10 s before the next line, and no words less', () => {
    const transcript = `AI: ${NOTICE} ${GREETING}\nCustomer: [not transcribed]\nAI: What is it?`;
    const lost = (lineEnd: number, stored = transcript) => {
      const speech = [
        ai(2_000, NOTICE),
        ai(4_000, GREETING),
        said(9_000, 'Good day.'),
        ai(23_000, 'What is it?'),
      ];
      return problems({ speech, transcript: stored, documentsAt: [1_000, lineEnd], endedAt: 40_000 });
    };
    expect(lost(18_900)).toEqual([]);
    expect(lost(19_100)).toHaveLength(1);
    expect(lost(18_900, transcript.replace('Customer: [not transcribed]\n', ''))).toHaveLength(1);
  });

  it('accepts the last word less of speech that ended with its line', () => {
    const transcript = `AI: ${NOTICE} Hello, this is\nCustomer: Good day.\nAI: What is it?`;
    expect(problems({ transcript, documentsAt: [1_000, 4_400] })).toEqual([]);
    expect(problems({ transcript, documentsAt: [1_000, 4_600] })).toHaveLength(1);
    const less = transcript.replace(' is\n', '\n');
    expect(problems({ transcript: less, documentsAt: [1_000, 4_400] })).toHaveLength(1);
  });

  it('accepts the last word of truncated speech, and a notice without a session', () => {
    const speech = [
      ai(1_500, NOTICE),
      ai(2_000, `${NOTICE} ${GREETING}`),
      said(9_000, 'Good day.'),
      ai(11_000, 'One moment, please.What is it? I thou', { whole: false }),
    ];
    const transcript = `AI: ${NOTICE} ${GREETING}\nCustomer: Good day.\nAI: One moment, please.\nAI: What is it? I`;
    expect(problems({ speech, transcript })).toEqual([]);
    expect(
      problems({ speech, transcript: transcript.replace('AI: One moment, please.\n', '') }),
    ).toHaveLength(1);
  });

  it('accepts less of a notice that a kill truncates and that is repeated', () => {
    const speech = [ai(1_500, NOTICE, { whole: false }), ai(9_000, `${NOTICE} ${GREETING}`)];
    const begun = NOTICE.split(' ').slice(0, -2).join(' ');
    const transcript = `AI: ${begun}\nAI: ${NOTICE} ${GREETING}`;
    expect(problems({ speech, transcript }, { killedAt: 1_500 })).toEqual([]);
    expect(problems({ speech, transcript })).toHaveLength(1);
  });

  it("accepts up to five words less of the speech of a killed process, and of the customer's words to it", () => {
    const text = 'There are no more than nine words in here';
    const at = 12_500;
    const speech = [said(11_000, 'Hm.'), ai(at, text, { whole: false })];
    const kept = (words: number) => `AI: ${text.split(' ').slice(0, words).join(' ')}`;
    const killed = { killedAt: 12_400 };
    const documentsAt = [1_000, 12_600];
    expect(problems({ speech, documentsAt, transcript: kept(3) }, killed)).toEqual([]);
    expect(problems({ speech, documentsAt, transcript: kept(2) }, killed)).toHaveLength(1);
    expect(lostAtKill([call({ speech, transcript: kept(3) })], { ...RULES, ...killed })).toEqual([1]);
    // The same for speech completed just before, and for no other.
    const ended = (ms: number) => ({ speech: [ai(killed.killedAt + ms, text)], documentsAt });
    for (const ms of [-450, 900]) expect(problems({ ...ended(ms), transcript: kept(8) }, killed)).toEqual([]);
    for (const ms of [-550, 1_100])
      expect(problems({ ...ended(ms), transcript: kept(8) }, killed)).toHaveLength(1);
  });

  it("accepts customer's words within 2.5 s before a kill, however late the next document is", () => {
    const speech = [said(9_000, 'Uh-huh.'), said(14_000, 'Good day.')];
    const lost = { speech, documentsAt: [1_000, 13_000], transcript: 'Customer: Good day.' };
    expect(problems(lost, { killedAt: 11_400 })).toEqual([]);
    expect(problems(lost, { killedAt: 11_600 })).toHaveLength(1);
  });

  it.each<[string, Partial<ObservedCall>]>([
    ['a word that nobody heard', { transcript: `${call().transcript} Well` }],
    ['a word that is not stored', { transcript: call().transcript.replace('is it', 'it') }],
    ['words of the customer that are not stored', { transcript: call().transcript.replace('Good', '') }],
    ['a call without a reason', { endedReason: null }],
    ['a call that never ended', { endedAt: null, status: 'in-progress' }],
    ['too many documents', { documents: 4 }],
  ])('refuses %s', (_case, fields) => {
    expect(problems(fields)).toHaveLength(1);
  });

  it("accepts missing characters of the customer's words where the carrier sent no audio for a while", () => {
    const torn = (lateMs: number, text: string) =>
      problems({
        speech: [{ ...said(9_000, 'Good day to you.'), lateMs }],
        transcript: `Customer: ${text}`,
      });
    expect(torn(240, 'God day to you.')).toEqual([]);
    expect(torn(240, 'Good evening to you.')).toHaveLength(1);
    expect(torn(0, 'God day to you.')).toHaveLength(1);
  });

  it('accepts characters with no report whether they are understood, where such exist', () => {
    const speech = [ai(4_000, 'There are no more wor', { whole: false })];
    const stored = (words: string, charactersAtCut?: number) =>
      problems(
        { speech, transcript: `AI: There are no more ${words}` },
        charactersAtCut === undefined ? {} : { charactersAtCut },
      );
    expect(stored('words', 2)).toEqual([]);
    expect(stored('', 2)).toEqual([]);
    expect(stored('wordily', 2)).toHaveLength(1);
    expect(stored('\nAI: I', 2)).toEqual([]);
    expect(stored('wor\nAI: I see', 2)).toHaveLength(1);
    expect(stored('words')).toHaveLength(1);
  });

  it('accepts a mark of punctuation after the last word before an interruption', () => {
    const stored = (words: string) =>
      problems({
        speech: [ai(4_000, 'Hello', { whole: false }), ai(9_000, 'I am an assistant.')],
        transcript: `AI: ${words}\nAI: I am an assistant.`,
      });
    expect(stored('Hello,')).toEqual([]);
    expect(stored('Hello, I')).toHaveLength(1);
  });

  it('accepts characters that were due while the carrier stalled', () => {
    const speech = [ai(4_000, 'There are no more wor', { whole: false })];
    const stored = (stalledMs: number, words: string) =>
      problems({ speech, stalledMs, transcript: `AI: There are no more ${words}` });
    expect(stored(120, 'words')).toEqual([]);
    expect(stored(110, 'words')).toHaveLength(1);
    expect(stored(120, 'wordily')).toHaveLength(1);
  });

  it('accepts them in speech that is not understood where the line ends before', () => {
    const speech = [ai(4_000, 'Hello.'), ai(9_000, 'What is it?')];
    const stored = (documentsAt: number[], first: string, charactersAtCut = 2) =>
      problems(
        {
          speech,
          documentsAt,
          documents: documentsAt.length,
          transcript: `AI: Hello. ${first}\nAI: What is it?`,
        },
        { charactersAtCut },
      );
    expect(stored([1_000, 5_000], 'I')).toEqual([]);
    expect(stored([1_000, 5_000], 'I am')).toHaveLength(1);
    expect(stored([1_000, 5_000], 'I', 0)).toHaveLength(1);
    for (const at of [3_000, 8_500]) expect(stored([1_000, at], 'I')).toHaveLength(1);
  });

  it('accepts fewer words that are heard before the order to stop arrives, and no others', () => {
    const cut = (lateMs: number) => ({
      speech: [ai(4_000, 'There are no more words', { whole: false, lateMs })],
      transcript: 'AI: There are no',
    });
    expect(problems(cut(300))).toEqual([]);
    expect(problems(cut(20))).toHaveLength(1);
    expect(problems({ ...cut(20), interruptedAt: [1_000, 3_700] })).toEqual([]);
    expect(problems({ ...cut(20), interruptedAt: [1_000, 3_980, 4_300] })).toHaveLength(1);
    const asked: number[][] = [];
    const between = (from: number, until: number): number => asked.push([from, until]) * 280;
    expect(problems(cut(20), { waits: { between } })).toEqual([]);
    expect(asked).toEqual([[3_000, 4_000]]);
    expect(problems({ ...cut(300), transcript: 'AI: There are' })).toHaveLength(1);
    expect(problems({ ...cut(300), transcript: 'AI: There are no more words more' })).toHaveLength(1);
  });

  it('accepts the last word less of complete speech at whose end the order to stop arrives', () => {
    const speech = [ai(4_700, 'There are no more words')];
    const stored = (interruptedAt: number[], words = 'There are no more') =>
      problems({ speech, interruptedAt, transcript: `AI: ${words}` });
    for (const at of [3_990, 4_000, 4_240]) expect(stored([at])).toEqual([]);
    for (const at of [2_900, 4_260, 4_700]) expect(stored([at])).toHaveLength(1);
    expect(stored([])).toHaveLength(1);
    expect(stored([3_990], 'There are no')).toHaveLength(1);
    expect(stored([3_990], 'There are no more words more')).toHaveLength(1);
  });

  it('judges many words with missing characters', () => {
    const speech = Array.from({ length: 12 }, (_, at) => ({
      ...said(9_000 + at, 'No, thank you, that was all. Goodbye!'),
      lateMs: 300,
    }));
    const torn = Array.from({ length: 12 }, () => 'No, thank tht was all. Gdbye!').join(' ');
    const transcript = (words: string) => `Customer: ${words}`;
    expect(problems({ speech, transcript: transcript(torn) })).toEqual([]);
    expect(problems({ speech, transcript: transcript(`${torn} x`) })).toHaveLength(1);
  });

  it('judges no words that a carrier played more than half a second late', () => {
    const transcript = 'AI: Something else.';
    expect(problems({ transcript, stalledMs: 500 })).not.toEqual([]);
    expect(problems({ transcript, stalledMs: 501 })).toEqual([]);
  });

  it('refuses a repeated greeting', () => {
    const speech = [...call().speech, ai(14_000, GREETING)];
    const transcript = `${call().transcript} ${GREETING}`;
    expect(problems({ speech, transcript })).toEqual([expect.stringContaining('greets again')]);
  });
});

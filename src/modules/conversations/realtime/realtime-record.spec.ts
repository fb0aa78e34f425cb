import { describe, expect, it } from '@jest/globals';
import { startRealtimeConversation } from './realtime-conversation.fake.js';
import { CHARACTER_BYTES } from './realtime.fake.js';

type Conversation = Awaited<ReturnType<typeof startRealtimeConversation>>;

const GREETING = 'Good morning, this is Ada.';
const TEXT = 'We can talk about today and about tomorrow as well.';
const VOICED = 'We can talk about today ';
const GOODBYE = 'I have to end the call now. Thank you for your time, goodbye.';

async function greeted(): Promise<Conversation> {
  const call = await startRealtimeConversation({ greeting: GREETING });
  await call.model.answers(GREETING);
  await call.line.playsAll();
  return call;
}

/** After the greeting, so that the pace of the voice is known, the customer has asked something. */
async function asked(): Promise<Conversation> {
  const call = await greeted();
  await call.model.customer('What is it about?');
  return call;
}

/** The text of the response is ahead of its audio. */
async function breaksOff({ model, line }: Conversation, voiced = VOICED): Promise<string> {
  const response = model.requests.at(-1)?.response ?? '';
  const base = { response, itemId: `item_${response}` };
  await model.emit({ kind: 'transcript', ...base, text: TEXT });
  await model.emit({ kind: 'audio', ...base, audio: Buffer.alloc(voiced.length * CHARACTER_BYTES) });
  await line.playsAll();
  return response;
}

const heard = ({ recorder }: Conversation): string =>
  recorder.lines
    .filter((line) => line.startsWith('AI: '))
    .map((line) => line.slice('AI: '.length))
    .join(' ');

describe('the record of a call with a realtime model', () => {
  it.each<[string, (call: Conversation, response: string) => Promise<void>]>([
    ['stalls', ({ clock }) => clock.advance(10_000)],
    ['closes the session', ({ model }) => model.emit({ kind: 'closed' })],
    [
      'fails in the response twice',
      async ({ model, clock }, response) => {
        await model.emit({ kind: 'done', response, status: 'failed', usage: null });
        await clock.advance(300);
        await model.emit({ kind: 'done', response: `${response}-again`, status: 'failed', usage: null });
      },
    ],
  ])('has what was played when the model %s', async (_case, fails) => {
    const call = await asked();
    await fails(call, await breaksOff(call));
    expect(call.session.failed).toBe(true);
    await call.clock.advance(1_000);
    expect(heard(call)).toBe(`${GREETING} ${VOICED.trim()}`);
  });

  it('has no word of which only a part was played', async () => {
    const call = await asked();
    await breaksOff(call, VOICED.slice(0, -3));
    // No mark follows the last audio.
    await call.clock.advance(200);
    await call.model.emit({ kind: 'closed' });
    expect(heard(call)).toBe(`${GREETING} We can talk about`);
  });

  it('has the words that were played of a response without spaces', async () => {
    const call = await asked();
    await call.model.says('今天天气很好，我们去公园。');
    await call.clock.advance(500);
    await call.model.emit({ kind: 'closed' });
    expect(heard(call)).toBe(`${GREETING} 今天天气很好，`);
  });

  it.each([
    [
      'fails',
      ({ model }: Conversation, response: string) =>
        model.emit({ kind: 'done', response, status: 'failed', usage: null }),
    ],
    ['stalls', ({ clock }: Conversation) => clock.advance(2_500)],
  ])('has both parts of a response that %s and is continued', async (_case, fails) => {
    const call = await asked();
    const response = await breaksOff(call);
    await fails(call, response);
    await call.clock.advance(300);
    const again = call.model.requests.at(-1);
    expect(again).toMatchObject({ kind: 'answer', response: `${response}-again` });
    expect(again?.kind === 'answer' && again.instruction).toContain('broke off');
    // Late events of the first one.
    await call.model.says('and nothing', response);
    await call.model.answers('and of tomorrow.');
    await call.line.playsAll();
    expect([call.session.failed, heard(call)]).toEqual([
      false,
      `${GREETING} We can talk about today and of tomorrow.`,
    ]);
  });

  it('has a response whose first request failed before a word', async () => {
    const call = await asked();
    const response = call.model.requests.at(-1)?.response ?? '';
    await call.model.emit({ kind: 'done', response, status: 'failed', usage: null });
    await call.clock.advance(300);
    await call.model.answers('About a bicycle.');
    await call.line.playsAll();
    expect(heard(call)).toBe(`${GREETING} About a bicycle.`);
  });

  it('has the whole of a given sentence whose rest is said by a second response', async () => {
    const call = await startRealtimeConversation({ greeting: GREETING });
    await call.model.says('Good morning, ');
    await call.model.emit({ kind: 'done', response: 'sentence-1', status: 'failed', usage: null });
    await call.clock.advance(300);
    expect(call.model.requests.at(-1)).toMatchObject({ kind: 'sentence', text: 'this is Ada.' });
    await call.model.answers('this is Ada.');
    await call.line.playsAll();
    expect(heard(call)).toBe(GREETING);
  });

  it('has a given sentence as the model says it', async () => {
    const call = await startRealtimeConversation({ greeting: GREETING });
    const said = 'Certainly! Good morning, this is Ada, as you wish.';
    await call.model.answers(said);
    expect(heard(call)).toBe(said);
    await call.line.playsAll();
    expect(heard(call)).toBe(said);
    expect(call.recorder.played.size).toBe(1);
  });

  it('has a given sentence as it was given when the model only writes it differently, or not at all', async () => {
    for (const transcript of ['good morning this is ada', '']) {
      const call = await startRealtimeConversation({ greeting: GREETING });
      await call.model.says(transcript || ' ');
      const audio = Buffer.alloc(GREETING.length * CHARACTER_BYTES);
      await call.model.emit({ kind: 'audio', response: 'sentence-1', itemId: 'item_1', audio });
      await call.model.ends();
      await call.line.playsAll();
      expect(heard(call)).toBe(GREETING);
    }
  });

  it('repeats a notice once that the model says in other words', async () => {
    const notice = 'This call is recorded.';
    const call = await startRealtimeConversation({ greeting: `${notice} Hello.`, notice });
    await call.model.answers('Sure! The call is recorded. Hello.');
    await call.line.playsAll();
    for (const text of ['Hello?', 'And now?']) {
      await call.model.customer(text);
      for (const request of call.model.requests.filter(({ kind }) => kind === 'sentence').slice(1))
        await call.model.says('Certainly, it is recorded.', request.response);
      await call.model.answers('Yes.');
      await call.line.playsAll();
      await call.clock.advance(1_000);
    }
    expect(call.model.requests.filter(({ kind }) => kind === 'sentence')).toHaveLength(2);
  });

  it('has what was heard of a response that the goodbye at the time limit stops', async () => {
    const call = await startRealtimeConversation({ maxDurationSeconds: 20 }, { minInterruptWords: 2 });
    await call.clock.advance(18_000);
    await call.model.customer('Tell me a story');
    await call.model.answers('Once upon a time there was a fox in the wood');
    await call.clock.advance(2_000);
    await call.model.answers(GOODBYE);
    await call.line.playsAll();
    expect([call.line.clears, heard(call)]).toEqual([1, `Once upon a time there was a fox ${GOODBYE}`]);
  });

  it('has no words without audio of a response that the goodbye at the time limit follows', async () => {
    const call = await startRealtimeConversation({ greeting: GREETING, maxDurationSeconds: 20 });
    await call.model.answers(GREETING);
    await call.line.playsAll();
    await call.clock.advance(19_000);
    await call.model.customer('What is it about?');
    await breaksOff(call);
    await call.clock.advance(1_000);
    await call.model.answers(GOODBYE);
    await call.line.playsAll();
    expect(heard(call)).toBe(`${GREETING} ${VOICED.trim()} ${GOODBYE}`);
  });

  describe('when the customer hangs up', () => {
    const stored = ({ recorder }: Conversation): string[] =>
      recorder.lines.filter((line) => line.startsWith('Customer: '));

    it('has words that are transcribed later', async () => {
      const call = await greeted();
      const { model, line, reason } = call;
      await model.emit({ kind: 'speech', itemId: 'last', on: true });
      await line.hears(call.clock, 600);
      await model.commits('last');
      await line.emit({ kind: 'closed' });
      expect(reason()).toBeNull();
      await model.emit({ kind: 'heard', itemId: 'last', text: 'No, thank you.' });
      await call.run;
      expect([reason(), stored(call)]).toEqual(['line_lost', ['Customer: No, thank you.']]);
      expect(model.sent('close')).toHaveLength(1);
    });

    it('has words of which the audio was not over', async () => {
      const call = await greeted();
      const { model, line, reason } = call;
      await model.emit({ kind: 'speech', itemId: 'last', on: true });
      await line.hears(call.clock, 600);
      await line.emit({ kind: 'closed' });
      // Silence, after which the provider ends the turn: 8 s.
      expect(model.sent('append').at(-1)).toEqual(['append', 64_000]);
      await model.commits('last');
      await model.emit({ kind: 'heard', itemId: 'last', text: 'No, thank you.' });
      await call.run;
      expect([reason(), stored(call)]).toEqual(['line_lost', ['Customer: No, thank you.']]);
    });

    it('has the turn without its words where they are not transcribed within 3 s', async () => {
      const call = await greeted();
      const { model, line, reason, clock } = call;
      await model.emit({ kind: 'speech', itemId: 'last', on: true });
      await line.hears(clock, 600);
      await model.commits('last');
      await line.emit({ kind: 'closed' });
      await clock.advance(2_900);
      expect(reason()).toBeNull();
      await clock.advance(200);
      expect([reason(), stored(call)]).toEqual(['line_lost', ['Customer: [not transcribed]']]);
    });

    it('is complete at once where no words are outstanding', async () => {
      const { line, reason } = await greeted();
      await line.emit({ kind: 'closed' });
      expect(reason()).toBe('line_lost');
    });
  });

  it.each([
    ['has a turn without its words', 'in its middle', 600, false, ['Customer: [not transcribed]']],
    ['has a turn without its words', 'before it is committed', 600, true, ['Customer: [not transcribed]']],
    ['has no cough', 'in its middle', 100, false, []],
  ])('%s where the model closes the session %s', async (_what, _when, ms, isOver, expected) => {
    const { model, line, clock, recorder } = await greeted();
    await model.emit({ kind: 'speech', itemId: 'last', on: true });
    await line.hears(clock, ms);
    if (isOver) await model.emit({ kind: 'speech', itemId: 'last', on: false });
    await model.emit({ kind: 'closed' });
    expect(recorder.lines.filter((one) => one.startsWith('Customer: '))).toEqual(expected);
  });
});

import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';
import { soundsLikeMailbox } from './mailbox-hold.js';

Logger.overrideLogger(false);

const ANNOUNCEMENT = 'I cannot come to the phone. Please leave a message after the tone.';

async function callMailbox(changes: Parameters<typeof startConversation>[0] = {}) {
  const call = startConversation({ pressesKeys: true, greeting: 'Hi, Ada here.', ...changes });
  call.model.willSay('Good day.').willSay('Fine.').willSay('Still there?').willSay('Bye.');
  await call.begin();
  return call;
}

describe('an outbound call that sounds like a mailbox', () => {
  it('is not answered until machine detection reports', async () => {
    const { clock, session, model, recorder } = await callMailbox();
    await session.interrupt('Hi,');
    await session.customerSays(ANNOUNCEMENT);
    await clock.advance(2_000);
    await session.customerSays('You may hang up when you have finished.');
    await clock.advance(3_000);
    expect(model.requests).toHaveLength(0);
    expect(session.speeches).toEqual([]);
    await session.emit({ kind: 'closed' });
    expect(recorder.lines).toEqual([
      'AI: Hi,',
      `Customer: ${ANNOUNCEMENT}`,
      'Customer: You may hang up when you have finished.',
    ]);
  });

  it('drops the response to the beginning of its announcement', async () => {
    const { clock, session, model, begin } = startConversation({ pressesKeys: true });
    model.willSay({ waitMs: 1_000 }, 'Good day.').willSay('Fine.');
    await begin();
    await session.customerSays('Hi, this is Bob.');
    await clock.advance(500);
    await session.customerSays('Leave a message after the beep.');
    await clock.advance(10_000);
    expect(session.speeches).toEqual([]);
  });

  it('is not asked whether somebody is there, and ends after the silence without a word', async () => {
    const { clock, session, model, result } = await callMailbox();
    await session.customerSays(ANNOUNCEMENT);
    await clock.advance(39_000);
    expect(model.requests).toHaveLength(0);
    await clock.advance(20_000);
    expect(result()).toMatchObject({ reason: 'silence' });
    expect(session.speeches).toEqual([]);
  });

  it('goes on with a person who speaks meanwhile, 6 s after the announcement', async () => {
    const { clock, session, model } = await callMailbox();
    await session.customerSays(ANNOUNCEMENT);
    await clock.advance(3_000);
    await session.customerSays('Hello? I am here.');
    await clock.advance(2_999);
    expect(model.requests).toHaveLength(0);
    await clock.advance(1);
    expect(model.requests).toHaveLength(1);
    await session.customerSays('Who is this, please tell me?');
    expect(model.requests.length).toBeGreaterThan(1);
  });

  it('goes on with a person who speaks later', async () => {
    const { clock, session, model } = await callMailbox();
    await session.customerSays(ANNOUNCEMENT);
    await clock.advance(6_000);
    expect(model.requests).toHaveLength(0);
    await session.customerSays('Hello, who is this?');
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    ['an inbound call', { pressesKeys: false }, ['Leave a message after the tone.']],
    [
      'the fourth utterance',
      {},
      ['Hi there.', 'Go ahead.', 'What is it?', 'I left you a voicemail yesterday.'],
    ],
    ['a question', {}, ['Would you like to leave a message?']],
    ['a menu', {}, ['For sales press one, to leave a message press two.']],
    ['a person who calls back', {}, ['I am driving, I will call you back later.']],
  ])('is answered: %s', async (_, changes, words) => {
    const { session, model } = await callMailbox(changes);
    for (const [index, text] of words.entries()) {
      await session.customerSays(text);
      expect(model.requests).toHaveLength(index + 1);
    }
  });
});

describe('soundsLikeMailbox', () => {
  it.each([
    ['Hinterlassen Sie eine Nachricht nach dem Signalton.', 'de-DE', true],
    ['Deje su mensaje después de la señal.', 'es-MX', true],
    ['发出提示音后请留言。', 'zh-CN', true],
    ['Please leave a message.', 'fi-FI', true],
    ['Guten Tag, wer ist da?', 'de-DE', false],
    ['To reach sales press one, or leave a message after the tone.', 'en-US', true],
  ])('%j in %s: %s', (text, language, expected) => {
    expect(soundsLikeMailbox(text, language)).toBe(expected);
  });
});

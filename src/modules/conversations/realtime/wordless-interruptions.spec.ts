import { describe, expect, it } from '@jest/globals';
import {
  HANG_OVER_MS,
  makesSound,
  speaks,
  startRealtimeConversation,
  words,
} from './realtime-conversation.fake.js';

type Conversation = Awaited<ReturnType<typeof startRealtimeConversation>>;

/** The assistant speaks. */
async function talking(): Promise<Conversation> {
  const call = await startRealtimeConversation();
  await call.model.customer('Tell me a story', 'story');
  await call.model.answers('Once upon a time there was a fox in the wood');
  await call.line.playsOne();
  return call;
}

describe('voice over a realtime model', () => {
  it.each([
    ['words', 'Wait.', 2],
    ['none', '', 1],
  ])('stops it after voice with %s', async (_case, text, clears) => {
    const call = await talking();
    await speaks(call, 'first', 600);
    await words(call, 'first', text);
    if (text !== '') await call.model.answers('Then I tell you another one, of a bear');
    await call.line.playsOne();
    await speaks(call, 'second', 600);
    expect(call.line.clears).toBe(clears);
  });

  it('does not stop it after a voice without words that another voice has followed', async () => {
    const call = await talking();
    for (const sound of ['cough', 'television']) await speaks(call, sound, 600);
    for (const sound of ['cough', 'television']) await words(call, sound, '');
    await call.line.playsOne();
    await speaks(call, 'second', 600);
    expect(call.line.clears).toBe(1);
  });

  it('does not stop it after a voice without words while it was silent', async () => {
    const call = await startRealtimeConversation();
    await makesSound(call, 'television');
    await call.model.customer('Tell me a story', 'story');
    await call.model.answers('Once upon a time there was a fox in the wood');
    await call.line.playsOne();
    await speaks(call, 'sound', 600);
    expect(call.line.clears).toBe(0);
  });

  it('does not stop it while words decide, and words do', async () => {
    const call = await talking();
    await speaks(call, 'sound', 600);
    await call.clock.advance(1_600);
    await call.model.emit({ kind: 'speech', itemId: 'wait', on: true });
    await call.line.hears(call.clock, 1_000);
    expect(call.line.clears).toBe(1);
    await call.model.emit({ kind: 'words', itemId: 'wait', text: 'Wait, please' });
    expect(call.line.clears).toBe(2);
  });

  it('is answered, also where a sound follows before its words are known', async () => {
    const call = await talking();
    await speaks(call, 'question', 1_200);
    await speaks(call, 'sound', 600);
    const { response = '' } = call.model.requests.at(-1) ?? {};
    await call.model.emit({ kind: 'done', response, status: 'cancelled', usage: null });
    await words(call, 'question', 'Wait, who lives in the wood?');
    await words(call, 'sound', '');
    await call.model.answers('A bear.');
    await call.line.playsAll();
    expect(call.recorder.lines.slice(-2)).toEqual(['Customer: Wait, who lives in the wood?', 'AI: A bear.']);
  });

  it.each<[string, number[], boolean]>([
    ['is', [], true],
    ['is', [600], true],
    ['is not', [600, 600], false],
    ['is not', [1_000], false],
  ])('%s answered without words after voices without any, of %j ms', async (_is, sounds, isAnswered) => {
    const call = await startRealtimeConversation();
    for (const [index, ms] of sounds.entries()) await makesSound(call, `sound ${index}`, ms);
    const { played } = call.line;
    const asked = call.model.requests.length;
    await speaks(call, 'question', 1_200);
    if (call.model.requests.length > asked) await call.model.answers('Yes, please?');
    await call.clock.advance(2_000);
    expect(call.line.played > played).toBe(isAnswered);
  });

  it('stops it where it is not measured, after the silence that the provider waits for', async () => {
    const call = await talking();
    await call.model.emit({ kind: 'speech', itemId: 'speech', on: true });
    await call.clock.advance(500 + HANG_OVER_MS - 10);
    expect(call.line.clears).toBe(0);
    await call.clock.advance(20);
    expect(call.line.clears).toBe(1);
  });
});

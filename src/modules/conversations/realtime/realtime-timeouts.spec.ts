import { describe, expect, it } from '@jest/globals';
import { startRealtimeConversation } from './realtime-conversation.fake.js';

type Conversation = Awaited<ReturnType<typeof startRealtimeConversation>>;

async function asked(): Promise<Conversation> {
  const call = await startRealtimeConversation();
  await call.model.customer('Is Monday free?');
  return call;
}

describe('a realtime model that is too slow', () => {
  it.each<[string, (call: Conversation) => Promise<void>]>([
    ['does not begin a response', async () => undefined],
    ['has not ended the one before', ({ model }) => model.customer('Or Tuesday?')],
    [
      'thinks, and says nothing',
      async ({ model, clock }) => {
        for (let second = 0; second < 8; second += 1) {
          await model.emit({ kind: 'progress', response: 'answer-1' });
          await clock.advance(1_000);
        }
      },
    ],
  ])('is replaced before the engine ends the call: it %s', async (_case, happens) => {
    const call = await asked();
    const begin = call.clock.now();
    await happens(call);
    await call.clock.advance(begin + 9_900 - call.clock.now());
    expect([call.session.failed, call.reason()]).toEqual([true, 'line_lost']);
  });

  it('has 4 s for each part of a response, and for each piece of the arguments of a call', async () => {
    const { model, clock, line, tools, session } = await asked();
    const response = 'answer-1';
    await model.says('Let me see.');
    await line.playsAll();
    for (const ms of [0, 3_900, 2_600, 2_600]) {
      await clock.advance(ms);
      await model.emit({ kind: 'progress', response });
    }
    const call = { id: 'call_1', name: 'check_slot', arguments: '{"day":"Monday"}' };
    await model.emit({ kind: 'call', response, itemId: 'item_2', call });
    await model.ends(response);
    expect(tools.runs).toEqual([{ name: 'check_slot', args: { day: 'Monday' } }]);
    await model.answers('It is free.');
    await line.playsAll();
    expect([model.sent('cancel'), session.failed]).toEqual([[], false]);
  });
});

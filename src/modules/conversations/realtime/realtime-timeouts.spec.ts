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
  ])('is replaced before the engine ends the call: it %s', async (_case, happens) => {
    const call = await asked();
    await happens(call);
    await call.clock.advance(9_900);
    expect([call.session.failed, call.reason()]).toEqual([true, 'line_lost']);
  });
});

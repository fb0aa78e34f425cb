import { expect, it } from '@jest/globals';
import { speaks, startRealtimeConversation, words } from './realtime-conversation.fake.js';

it.each([
  ['words', 'Wait.', 2],
  ['none', '', 1],
])('a voice stops a realtime model after one with %s', async (_case, text, clears) => {
  const call = await startRealtimeConversation();
  await call.model.customer('Tell me a story', 'story');
  await call.model.answers('Once upon a time there was a fox in the wood');
  await call.line.playsOne();
  await speaks(call, 'first', 600);
  await words(call, 'first', text);
  if (text !== '') await call.model.answers('Then I tell you another one, of a bear');
  await call.line.playsOne();
  await speaks(call, 'second', 600);
  expect(call.line.clears).toBe(clears);
});

it('words stop a realtime model after a voice without any', async () => {
  const call = await startRealtimeConversation();
  await call.model.customer('Tell me a story', 'story');
  await call.model.answers('Once upon a time there was a fox in the wood');
  await call.line.playsOne();
  await speaks(call, 'sound', 600);
  await words(call, 'sound', '');
  await call.model.emit({ kind: 'speech', itemId: 'wait', on: true });
  await call.line.hears(call.clock, 1_000);
  expect(call.line.clears).toBe(1);
  await call.model.emit({ kind: 'words', itemId: 'wait', text: 'Wait, please' });
  expect(call.line.clears).toBe(2);
});

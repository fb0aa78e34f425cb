import { startConversation } from '../engine/conversation.fake.js';
import { flushPromises } from '../engine/clock.fake.js';
import { ConversationEngine } from '../engine/conversation-engine.js';
import type { ConversationSettings } from '../engine/conversation-settings.js';
import type { EarlierConversation } from '../engine/earlier-conversation.js';
import { openSession, type INTERRUPTION_RULES } from './realtime.fake.js';

/** A conversation of the engine over a realtime model. */
export async function startRealtimeConversation(
  changes: Partial<ConversationSettings> = {},
  rules: Partial<typeof INTERRUPTION_RULES> = {},
  earlier: EarlierConversation | null = null,
) {
  const { parts, recorder, tools, settings, clock } = startConversation({ ...changes, ...rules });
  const opened = await openSession(rules, clock);
  const { session } = opened;
  const engine = new ConversationEngine({ ...parts, session, model: session }, settings, earlier);
  let reason: string | null = null;
  const run = engine.run().then((result) => (reason = result.reason));
  await flushPromises();
  return { ...opened, recorder, tools, run, reason: () => reason };
}

import { startConversation } from '../engine/conversation.fake.js';
import { flushPromises, type FakeClock } from '../engine/clock.fake.js';
import { ConversationEngine } from '../engine/conversation-engine.js';
import type { ConversationSettings } from '../engine/conversation-settings.js';
import type { EarlierConversation } from '../engine/earlier-conversation.js';
import {
  openSession,
  type FakePhoneLine,
  type FakeRealtimeModel,
  type INTERRUPTION_RULES,
} from './realtime.fake.js';

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

type Parts = { model: FakeRealtimeModel; line: FakePhoneLine; clock: FakeClock };

/** The provider's silence at the end of a turn. */
export const HANG_OVER_MS = 600;

/** The customer speaks, and the provider commits the turn. */
export async function speaks({ model, line, clock }: Parts, itemId: string, ms: number): Promise<void> {
  await model.emit({ kind: 'speech', itemId, on: true });
  await line.hears(clock, ms);
  await line.hears(clock, HANG_OVER_MS, false);
  await model.commits(itemId);
}

/** The words of a turn arrive. */
export const words = ({ model }: Parts, itemId: string, text: string | null): Promise<void> =>
  model.emit({ kind: 'heard', itemId, text });

/** A voice without words: a response that was requested for it is withdrawn. */
export async function makesSound(parts: Parts, itemId: string, ms = 600): Promise<void> {
  await speaks(parts, itemId, ms);
  await words(parts, itemId, '');
  const { response = '' } = parts.model.requests.at(-1) ?? {};
  await parts.model.emit({ kind: 'done', response, status: 'cancelled', usage: null });
}

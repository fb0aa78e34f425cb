import type { Schemas } from '#console/api/client';
import type { Tone } from '#console/components/status-badge';
import { t } from '#console/texts';

export type Conversation = Schemas['ChatResponse'];
export type Message = Schemas['HistoryMessageResponse'];

/** Whom the assistant writes with, as far as one knows. */
export const partnerOf = ({ external_identifier: customer, type }: Conversation): string =>
  customer ?? (type === 'test' ? t.conversations.tester : t.conversations.visitor);

export function stateOf({ status, ai_enabled: isOn }: Conversation): { tone: Tone; label: string } {
  if (status === 'ended') return { tone: 'neutral', label: t.conversations.statuses.ended ?? status };
  return isOn
    ? { tone: 'running', label: t.conversations.statuses.active ?? status }
    : { tone: 'waiting', label: t.conversations.aiOff };
}

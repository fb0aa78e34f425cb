import type { AssistantView } from './assistant-view.js';
import { fillTemplate, localNow, type SystemValues } from './fill-template.js';

/** What of a call stands in texts. */
interface CallValues {
  clientPhoneNumber: string;
  assistantPhoneNumber: string;
  variables: Record<string, unknown>;
  /** Names of those that somebody without a token set. */
  visitorVariables?: readonly string[];
}

/** Fills the assistant's texts for one call. */
export function createTextFiller(
  { name, timezone }: Pick<AssistantView, 'name' | 'timezone'>,
  call: CallValues,
  now: Date,
): (template: string, use?: 'speech' | 'prompt') => string {
  // Formatting a date costs more than all the rest, and few texts name one.
  let local: ReturnType<typeof localNow> | null = null;
  const inWords = (): ReturnType<typeof localNow> => (local ??= localNow(timezone, now));
  const system: SystemValues = {
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    assistant_name: name,
    get current_date() {
      return inWords().current_date;
    },
    get current_time() {
      return inWords().current_time;
    },
  };
  return (template, use) => fillTemplate(template, call.variables, system, use, call.visitorVariables);
}

/** What an answering machine is told; null: nothing. */
export function voicemailMessage(
  assistant: Pick<AssistantView, 'name' | 'timezone' | 'voiceMailMessage'>,
  call: CallValues,
  now: Date,
): string | null {
  return createTextFiller(assistant, call, now)(assistant.voiceMailMessage ?? '').trim() || null;
}

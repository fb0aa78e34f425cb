import type { AssistantView } from './assistant-view.js';
import { renderTemplate, localNow, type SystemVariables } from './render-template.js';

/** The values of a call that texts can contain. */
interface CallValues {
  clientPhoneNumber: string;
  assistantPhoneNumber: string;
  variables: Record<string, unknown>;
  /** Names of variables that were set without a token. */
  visitorVariables?: readonly string[];
}

/** Fills the assistant's texts for one call. */
export function createTextRenderer(
  { name, timezone }: Pick<AssistantView, 'name' | 'timezone'>,
  call: CallValues,
  now: Date,
): (template: string, use?: 'speech' | 'prompt') => string {
  // Formatting a date costs more than all the rest, and few texts name one.
  let local: ReturnType<typeof localNow> | null = null;
  const inWords = (): ReturnType<typeof localNow> => (local ??= localNow(timezone, now));
  const system: SystemVariables = {
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
  return (template, use) => renderTemplate(template, call.variables, system, use, call.visitorVariables);
}

/** The message for an answering machine; null: none. */
export function renderVoicemailMessage(
  assistant: Pick<AssistantView, 'name' | 'timezone' | 'voiceMailMessage'>,
  call: CallValues,
  now: Date,
): string | null {
  return createTextRenderer(assistant, call, now)(assistant.voiceMailMessage ?? '').trim() || null;
}

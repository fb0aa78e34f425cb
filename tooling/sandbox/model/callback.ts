import type { ToolSpec } from './chat-request.js';
import type { Conversation } from './conversation.js';

const SCHEDULE_CALLBACK = 'schedule_callback';
const WISH = /\bcall (?:me )?(?:back )?(today|tomorrow) at (\w+)/i;
/** The customer's clock in the instructions: "Monday, 2026-03-02 at 09:00, the customer's time (Europe/Berlin)". */
const CLOCK = /\b(\d{4}-\d{2}-\d{2}) at \d{2}:\d{2}, the customer's time \(([\w/+-]+)\)/;
const HOURS = 'twelve one two three four five six seven eight nine ten eleven'.split(' ');

/** "Call me tomorrow at three", computed from the date in the instructions; three is in the afternoon. */
export function callbackFor(utterance: string, tools: readonly ToolSpec[], conversation: Conversation) {
  if (!tools.some((tool) => tool.function.name === SCHEDULE_CALLBACK)) return null;
  const [, day, word = ''] = WISH.exec(utterance) ?? [];
  const [, date, timezone] = CLOCK.exec(conversation.instructions) ?? [];
  const spoken = HOURS.indexOf(word.toLowerCase());
  if (day === undefined || date === undefined || spoken < 0) return null;
  const on = new Date(`${date}T00:00:00Z`);
  if (day.toLowerCase() === 'tomorrow') on.setUTCDate(on.getUTCDate() + 1);
  const hour = String(spoken < 8 ? spoken + 12 : spoken).padStart(2, '0');
  const local_time = `${on.toISOString().slice(0, 10)}T${hour}:00`;
  return { name: SCHEDULE_CALLBACK, arguments: JSON.stringify({ local_time, timezone }) };
}

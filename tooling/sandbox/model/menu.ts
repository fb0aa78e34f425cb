import type { ToolSpec } from './chat-request.js';
import type { Conversation } from './conversation.js';
import { overlap, stems } from './words.js';

const SEND_DIGITS = 'send_digits';
/** "For billing, press 1." and "Press 1 for billing." */
const CHOICES = [
  /\b(?:for|to) ([^.;]+?),? (?:press|dial) ([0-9*#])/gi,
  /\b(?:press|dial) ([0-9*#])[,:]? (?:for|to) ([^.;]+)/gi,
];
/** How recordings begin and hold on; a person says none of it when answering. */
const RECORDING = /\b(?:thank you for calling|please hold|not one of the choices|listen carefully)\b/i;
const PERSON = /\b(?:person|operator|representative|agent|somebody)\b/i;

/** The keys to press when a menu speaks, `w` while it has not named the right one; null: it is no menu. */
export function keysFor(
  utterance: string,
  tools: readonly ToolSpec[],
  conversation: Conversation,
): string | null {
  if (!tools.some((tool) => tool.function.name === SEND_DIGITS)) return null;
  const choices = choicesIn(utterance);
  if (choices.length === 0) return RECORDING.test(utterance) ? 'w' : null;
  const goal = stems(conversation.instructions);
  const scored = choices.map(({ key, what }) => ({ key, score: score(what, goal) }));
  const best = scored.reduce((top, one) => (one.score > top.score ? one : top));
  return best.score > 0 ? best.key : 'w';
}

export const pressing = (digits: string) => ({ name: SEND_DIGITS, arguments: JSON.stringify({ digits }) });

function choicesIn(text: string): { key: string; what: string }[] {
  const [before, after] = CHOICES.map((pattern) => [...text.matchAll(pattern)]);
  return [
    ...(before ?? []).map(([, what = '', key = '']) => ({ key, what })),
    ...(after ?? []).map(([, key = '', what = '']) => ({ key, what })),
  ];
}

function score(what: string, goal: ReadonlySet<string>): number {
  if (/\bcancel/i.test(what)) return 0;
  return overlap(stems(what), goal) + (PERSON.test(what) ? 1 : 0);
}

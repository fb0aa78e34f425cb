import type { ToolSpec } from './chat-request.js';
import type { Conversation } from './conversation.js';
import { overlap, stems } from './words.js';

const SEND_DIGITS = 'send_digits';
/** "For billing, press 1." and "Press 1 for billing." */
const CHOICES = [
  /\b(?:for|to) ([^.;]+?),? (?:press|dial) ([0-9*#])/gi,
  /\b(?:press|dial) ([0-9*#])[,:]? (?:for|to) ([^.;]+)/gi,
];
/** Typical phrases of recordings; a person who answers uses none of them. */
const RECORDING = /\b(?:thank you for calling|please hold|not one of the choices|listen carefully)\b/i;
const PERSON = /\b(?:person|operator|representative|agent|somebody)\b/i;

/** The keys for a menu, `w` before the right one is named; null: no menu. */
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

import type { ToolSpec } from './chat-request.js';
import { asksForKnowledge, asksForSomething } from './attitude.js';
import { overlap, stems } from './words.js';

/** The service's own functions have other triggers than a customer's request. */
export const END_CALL = 'end_call';
export const STOP_CALLING = 'stop_calling';
export const SWITCH_LANGUAGE = 'switch_language';
export const TRANSFER_CALL = 'transfer_call';
/** Asked for what only a document knows: questions that no other tool answers. */
const SEARCH_KNOWLEDGE = 'search_knowledge';
const OTHERS = ['send_digits', 'schedule_callback', SEARCH_KNOWLEDGE];
const BUILT_IN = [END_CALL, STOP_CALLING, SWITCH_LANGUAGE, TRANSFER_CALL, ...OTHERS];

/** Verbs of nearly every description: alone they match only when there is one tool. */
const WEAK = stems('check find show search lookup fetch retrieve provide help time');
const STRONG_WEIGHT = 3;

/** The tool whose name and description share most words with the customer's request; null without a match. */
export function chooseTool(utterance: string, tools: readonly ToolSpec[]): ToolSpec | null {
  if (!asksForSomething(utterance)) return null;
  const candidates = tools.filter((tool) => !BUILT_IN.includes(tool.function.name));
  const asked = stems(utterance);
  const scored = candidates.map((tool) => ({ tool, score: score(tool, asked) }));
  const best = scored.reduce<(typeof scored)[number] | null>(
    (top, one) => (top === null || one.score > top.score ? one : top),
    null,
  );
  const needed = candidates.length === 1 ? 1 : STRONG_WEIGHT;
  if (best !== null && best.score >= needed) return best.tool;
  if (!asksForKnowledge(utterance)) return null;
  return tools.find((tool) => tool.function.name === SEARCH_KNOWLEDGE) ?? null;
}

function score(tool: ToolSpec, asked: ReadonlySet<string>): number {
  const described = stems(`${tool.function.name} ${tool.function.description ?? ''}`);
  const shared = overlap(described, asked);
  const weak = overlap(new Set([...described].filter((word) => WEAK.has(word))), asked);
  return (shared - weak) * STRONG_WEIGHT + weak;
}

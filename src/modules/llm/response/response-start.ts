import type { ReasoningTag } from './open-reasoning.js';

/** Some models write their role in front of a response, as in a transcript. */
const ROLES = ['Assistant:', 'assistant:', 'ASSISTANT:', 'AI:'];
const ROLE = /^\s*(?:[Aa]ssistant|ASSISTANT|AI)\s?[:：](?=\s)\s*/;
/** A server that removes the tags of gpt-oss leaves the words in them. */
const BARE_ANALYSIS = 'analysis';
const BARE_FINAL = /assistantfinal|assistant(?=commentary\s+to=)/;

/** @returns the length of what is not part of the response, and what begins there; null: more characters are needed */
export function responseStart(
  text: string,
  atEnd: boolean,
): { length: number; tag: ReasoningTag | null } | null {
  const begun = text.trimStart();
  const role = begun.replace(/\s/, '').replace('：', ':');
  if (!atEnd && [BARE_ANALYSIS, ...ROLES].some((label) => label.startsWith(role))) return null;
  const isReasoning = /^[A-Z]/.test(begun.slice(BARE_ANALYSIS.length)) && begun.startsWith(BARE_ANALYSIS);
  return {
    length: ROLE.exec(text)?.[0].length ?? 0,
    tag: isReasoning ? { kind: 'reasoning', closes: BARE_FINAL } : null,
  };
}

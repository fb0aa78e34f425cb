import type { Decision } from '../../sandbox/model/policy.js';
import { TOOLS } from './mutated-streams.js';

/** The result of a response's stream. */
export interface StreamReading {
  /** The spoken or shown text. */
  text: string;
  calls: { name: string; arguments: string }[];
  /** The model counts as failed. */
  failed: boolean;
}

/** Words of the reasoning of all dialects. */
const THOUGHT = /impatient|discount|forty|percent/;
const MARKUP = /<\/?[a-z|]|\|>|\{\s*"|tool_call|TOOL_|"arguments"|"name"|```|\[\/?THINK/i;

/** Problems of one response. @param isWhole whether all of it was sent */
export function streamProblems(
  { content, calls }: Decision,
  isWhole: boolean,
  read: StreamReading,
  /** Models with calls as their whole text have no other text. */
  saysNothing: boolean,
): string[] {
  const problems: string[] = [];
  if (THOUGHT.test(read.text)) problems.push('a thought was spoken');
  if (MARKUP.test(read.text)) problems.push('markup was spoken');
  const sent = new Set(calls.map(keyOf));
  const strange = read.calls.filter(
    (call) => TOOLS.includes(call.name) && isRun(call) && !sent.has(keyOf(call)),
  );
  if (strange.length > 0) problems.push('a tool was called with other arguments than were sent');
  if (!isWhole) return problems;
  if (read.failed) return [...problems, 'a complete answer counts as failed'];
  const expected = saysNothing && calls.length > 0 ? '' : (content ?? '');
  if (plain(read.text) !== plain(expected)) problems.push('other words were spoken than were sent');
  const made = read.calls.map(keyOf).toSorted();
  if (made.join() !== calls.map(keyOf).toSorted().join())
    problems.push('other calls were made than were sent');
  return problems;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Arguments other than an object are not executed: the model receives an error. */
function isRun(call: { arguments: string }): boolean {
  try {
    const value: unknown = JSON.parse(call.arguments);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Values as text: some dialects write all of them so, and the tool's schema has their types. */
function keyOf({ name, arguments: args }: { name: string; arguments: string }): string {
  if (!isRun({ arguments: args })) return `${name} ${args}`;
  const values = Object.entries(JSON.parse(args) as Record<string, unknown>);
  return `${name} ${JSON.stringify(values.map(([key, value]) => [key, String(value)]).toSorted())}`;
}

import { isObject } from '#src/common/validation/field-rules.js';
import type { JsonObject } from './json-text.js';

/** What a part of a stream is: the answer, a thought, or a message of somebody else; null: it does not say. */
export type Author = 'answer' | 'thought' | 'other' | null;

const OTHERS = /^(?:user|human|customer|system|developer|tool|function|ipython|observation|environment)$/i;
const ASSISTANT = /^(?:assistant|model|ai|bot|chatbot|agent)$/i;
/** Fields that name the kind of a part; `channel` is gpt-oss's. */
const KIND_FIELDS = ['channel', 'type', 'kind', 'phase'];
const THOUGHT_KIND = /think|thought|reason|analysis|reflect|scratch/i;
const FLAG = /^(?:is_?)?(?:thought|thinking|reasoning)$/i;
/** Of a whole frame, `thinking: true` may only say that the model can think. */
const FRAME_FLAG = /^(?:is_?)?thought$|^is_?(?:thinking|reasoning)$/i;

const isTrue = (value: unknown): boolean => value === true || value === 1 || value === 'true';

/** Gemini's flag is in `extra_content.google`. */
const providerFields = ({ extra_content: fields }: JsonObject): JsonObject[] =>
  isObject(fields) ? Object.values(fields).filter(isObject) : [];

/** Whether a part says that it is a thought: `thought: true`, `type: "thinking"`, `channel: "analysis"`. */
export const isThought = (part: JsonObject, flag = FLAG): boolean =>
  KIND_FIELDS.some((name) => THOUGHT_KIND.test(textIn(part, name))) ||
  [part, ...providerFields(part)].some((fields) =>
    Object.entries(fields).some(([name, value]) => flag.test(name) && isTrue(value)),
  );

/** The author of a message or a delta, by its own fields or those of the choice and the frame around it. */
export function readAuthor(message: JsonObject, around: readonly JsonObject[]): Author {
  const holders = [message, ...around];
  if (namesIn(holders, 'role').some((role) => !ASSISTANT.test(role))) return 'other';
  const isMarked = isThought(message) || around.some((holder) => isThought(holder, FRAME_FLAG));
  return isMarked ? 'thought' : readHead(message, around);
}

/** The same of the deltas that follow the head of a message, by its role and its channel. */
export function readHead(message: JsonObject, around: readonly JsonObject[]): Author {
  const holders = [message, ...around];
  const [roles, channels] = [namesIn(holders, 'role'), namesIn(holders, 'channel')];
  if (roles.some((role) => OTHERS.test(role))) return 'other';
  if (channels.some((channel) => THOUGHT_KIND.test(channel))) return 'thought';
  return roles.length + channels.length > 0 ? 'answer' : null;
}

const namesIn = (holders: readonly JsonObject[], field: string): string[] =>
  holders.map((holder) => textIn(holder, field)).filter((name) => name !== '');

const textIn = (holder: JsonObject, field: string): string => {
  const value = holder[field];
  return typeof value === 'string' ? value.trim() : '';
};

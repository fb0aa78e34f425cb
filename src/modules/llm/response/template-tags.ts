import { callTagLength } from './call-tags.js';
import { LABEL_END, parseLabelTag } from './labelled-calls.js';
import type { OfferedTools } from './tool-names.js';

/** What a tag of a chat template in the text of a response begins or ends. */
export type TemplateTag =
  /** `outer`: ends that are those of reasoning around it, too. */
  | { kind: 'reasoning'; closes: RegExp; opens?: RegExp; outer?: RegExp }
  | { kind: 'reasoning-end' }
  /** `closes` null: the rest of the response. `name`: of the tool, from a header; `tag`: it contains the name. */
  | { kind: 'call'; closes: RegExp | null; name?: string; tag?: string }
  /** A header of a template, up to a tag or the end of the line. */
  | { kind: 'head'; until: string }
  | { kind: 'nothing' };

export type CallTag = Extract<TemplateTag, { kind: 'call' | 'head' }>;

/** Behind the end of the model's turn, where it goes on with invented turns of others. */
export const REST = { kind: 'reasoning' as const, closes: /(?!)/ };

/** A tag of any template: `<a>`, `</a>`, `<|a|>`, `[A]`, `[/A]`, `◁a▷`, `✿A✿`. */
const TAG =
  /^(?:<[^<>\s][^<>]{0,200}>|\[\/?[A-Z][A-Z_]{1,30}\]|\[(?:BEGIN|END) FINAL RESPONSE\]|◁\/?\w{2,30}▷|✿[A-Z]{2,30}✿)/;
/** The beginning of a tag that may continue in the next piece. */
const TAG_BEGINS =
  /^(?:<(?:[|｜/!\p{L}][^<>]{0,200})?|\[\/?[A-Z_]{0,30}|\[(?:BEGIN|END) [A-Z ]{0,14}|◁\/?\w{0,30}|✿[A-Z]{0,30})$/u;
const NAME = /^[<[◁✿【「]\/?[|｜]?\/?\s?([\p{L}\p{N}_:.▁=-]+)/u;
const IS_CLOSING = /^(?:<[|｜]?\/|[[【「]\/|◁\/)|^<[|｜]?end[_▁]|[_▁]end[|｜]?>$|^[[【「]END_/i;

const THOUGHTS =
  /^(?:reason|reflection|analysis|internal|plan|planning|cot|unused94|(?:tool|function)_(?:response|result|output)s?)$|think|thought|reasoning|monologue|scratch_?pad/i;
/** Of web gateways: a collapsible block. */
const FOLDED = /^<details\b[^<>]*(?:reason|think)/i;
/** In special tokens of templates a part of the name is enough. */
const TOKEN_THOUGHTS =
  /think|thought|reason|reflect|analysis|(?:tool|function)[_▁]?(?:response|result|output)s?/i;
const BRACKET_THOUGHTS = /^(?:THINK|THINKING|THOUGHTS?|REASONING|TOOL_(?:RESULT|RESPONSE|OUTPUT)S?)$/;
const CALLS =
  /tool[_▁-]?calls?|function[_-]?calls?|^function(?:=|$)|(?:^|:)invoke$|^tool[_-]use$|^(?:use_(?:mcp_)?)?tool$|^call$|^tool_code$|^python_tag$|^tool_request$/i;
/** The name of the tool stands in the tag. */
const NAMING = /^<(?:function=|(?:\w+:)?\w+\s[^]*\b(?:name|tool|tool_name|function)\s{0,3}=)/i;
/** A tag that closes itself. */
const AT_ONCE = /^/;
const HEADS: Readonly<Record<string, string>> = {
  start: '<|message|>',
  channel: '<|message|>',
  // The end of a header whose beginning is lost.
  constrain: '<|message|>',
  start_header_id: '<|end_header_id|>',
  im_start: '\n',
  start_of_turn: '\n',
  turn: '\n',
};
/** Tags of templates around the response itself. */
const AROUND =
  /^(?:\/?(?:answer|response|output|final|final_answer|tools|s|bos|eos|eot|pad|unk|end_of_turn)|INST|RESPONSE|ARGS|BEGIN_OF_TEXT|BOS|EOS)$/i;
/** Names of tags at the end of the model's turn. */
const TURN_END_NAMES = '(?:im_end|endoftext|eot_id|end_of_turn|end▁of▁sentence|EOT|eos)';
const TURN_ENDS = new RegExp(`^${TURN_END_NAMES}$`);
/** The position of such a tag. */
export const TURN_END = new RegExp(`(?=<[|｜]?${TURN_END_NAMES}[|｜]?>)`);

const THOUGHT_NAMES =
  'think|thought|reason|reflect|analysis|scratch_?pad|monologue|cot|(?:tool|function)[_▁](?:response|result|output)s?';
/** Reasoning within reasoning. */
export const THOUGHT_BEGIN = new RegExp(`<[^<>/]{0,40}(?:${THOUGHT_NAMES})[^<>/]{0,30}>`, 'i');
/** The end of reasoning, wherever a tag of a call was named in it. */
export const REASONING_END = new RegExp(
  `</[^<>]{0,40}(?:${THOUGHT_NAMES})[^<>]{0,30}>|<[|｜]?end[_▁][^<>]{0,40}(?:${THOUGHT_NAMES})[^<>]{0,30}>`,
  'i',
);
/** A header of a template ends reasoning, too, and is parsed afterwards. */
const THOUGHT_END = new RegExp(
  [
    `</[^<>]{0,40}(?:${THOUGHT_NAMES})[^<>]{0,30}>`,
    '<unused95>',
    '<[|｜](?:/|end)[^<>]{0,40}>',
    '<[|｜][^<>]{0,40}[_▁]end[|｜]>',
    String.raw`\[/(?:THINK|THINKING|THOUGHTS?|REASONING|TOOL_(?:RESULT|RESPONSE|OUTPUT)S?)\]`,
    String.raw`◁/\w{2,30}▷`,
    String.raw`(?=<\|(?:channel|start)\|>)`,
    String.raw`<\|(?:return|im_end)\|>`,
  ].join('|'),
  'i',
);

/** A comment may hide the tags of reasoning that began in front of it. */
export const COMMENT = {
  kind: 'reasoning' as const,
  closes: new RegExp(`-->|${THOUGHT_END.source}`, 'i'),
  opens: THOUGHT_BEGIN,
  outer: /^(?!-->)/,
};

/** The tag at the beginning of a text, null for text. */
export function tagAt(
  text: string,
  tools: OfferedTools,
): { length: number; tag: TemplateTag | null } | 'wait' {
  const length = tools.size > 0 ? callTagLength(text, tools) || tagLength(text) : tagLength(text);
  if (length < 0) return 'wait';
  const begun = length === 0 ? /^<[|｜/]?\w{5,}/.exec(text)?.[0] : undefined;
  if (begun !== undefined && isStartOfTag(begun)) {
    const isEnd = REASONING_END.test(`${begun}>`);
    return { length: begun.length, tag: { kind: isEnd ? 'reasoning-end' : 'nothing' } };
  }
  const tag = length === 0 ? null : parseTag(text.slice(0, length), tools);
  const isText = !tag || (tag.kind === 'call' && tools.size === 0);
  return isText ? { length: Math.max(1, length), tag: null } : { length, tag };
}

/** Whether a text begins with a tag, or with an object that may be a call. */
export function beginsMarkup(text: string, tools: OfferedTools): boolean | 'wait' {
  if (tools.size > 0 && /^[{[]/.test(text)) return true;
  if (!text.startsWith('<')) return false;
  if (text.startsWith('<!')) return text.startsWith('<!--') || ('<!--'.startsWith(text) && 'wait');
  const found = tagAt(text, tools);
  return found === 'wait' ? found : found.tag !== null;
}

/** @returns the length of the tag that `text` begins with; 0: none; -1: more characters are needed. */
function tagLength(text: string): number {
  const length = TAG.exec(text)?.[0].length ?? parseLabelTag(text)?.length;
  if (length !== undefined) return length;
  return TAG_BEGINS.test(text) ? -1 : 0;
}

const reasoningTag = (opens?: RegExp): TemplateTag => ({
  kind: 'reasoning',
  closes: THOUGHT_END,
  ...(opens && { opens }),
});

/**
 * @param tools some models name a tag after the tool that they call
 * @returns null for what belongs to the text
 */
function parseTag(tag: string, tools: OfferedTools): TemplateTag | null {
  const name = NAME.exec(tag)?.[1] ?? '';
  const label = parseLabelTag(tag);
  if (label) return labelMark(tag, label.tool);
  if (tag === '<|channel>') return { kind: 'reasoning', closes: /<channel\|>/ };
  if (tag === '<channel|>' || name === 'unused95') return { kind: 'reasoning-end' };
  // Apriel's template opens the reasoning with a sentence.
  if (tag === '[BEGIN FINAL RESPONSE]') return { kind: 'reasoning-end' };
  if (tag === '[END FINAL RESPONSE]') return { kind: 'nothing' };
  if (FOLDED.test(tag)) return { kind: 'reasoning', closes: /<\/details\s*>/i };
  if (tag.startsWith('✿')) return flowerMark(name);
  const isToken = /^<[|｜]|^◁|[|｜]>$/.test(tag);
  const isClosing = IS_CLOSING.test(tag);
  const thoughts = tag.startsWith('[') ? BRACKET_THOUGHTS : isToken ? TOKEN_THOUGHTS : THOUGHTS;
  if (tag.endsWith('/>')) {
    if (tools.has(name) || CALLS.test(name))
      return { kind: 'call', closes: AT_ONCE, tag: tag.replace(/\s*\/>$/, '>') };
    return thoughts.test(name) ? { kind: 'nothing' } : null;
  }
  if (/^(?:internal|plan|planning)$/i.test(name))
    return isClosing ? { kind: 'reasoning-end' } : { kind: 'reasoning', closes: endOf(name) };
  if (thoughts.test(name)) return isClosing ? { kind: 'reasoning-end' } : reasoningTag(THOUGHT_BEGIN);
  if (tools.has(name)) return isClosing ? { kind: 'nothing' } : { kind: 'call', closes: endOf(name), tag };
  if (CALLS.test(name)) {
    if (isClosing) return { kind: 'nothing' };
    return { kind: 'call', closes: callEnd(tag, name), ...(NAMING.test(tag) && { tag }) };
  }
  if (TURN_ENDS.test(name)) return REST;
  const until = isToken || name === 'start_of_turn' ? HEADS[name] : undefined;
  if (until !== undefined) return { kind: 'head', until };
  return isToken || AROUND.test(name) ? { kind: 'nothing' } : null;
}

function labelMark(tag: string, tool: string | null): TemplateTag {
  if (IS_CLOSING.test(tag)) return { kind: 'nothing' };
  // Mistral stops after a call.
  const closes = tag === '[TOOL_CALLS]' ? null : LABEL_END;
  return { kind: 'call', closes, ...(tool !== null && { name: tool }) };
}

/** The tags of Qwen-Agent: `FUNCTION` and `ARGS` of each call, `RESULT`, and `RETURN` in front of the response. */
function flowerMark(name: string): TemplateTag {
  if (name === 'FUNCTION') return { kind: 'call', closes: /(?=✿RE(?:SULT|TURN)✿)/ };
  return name === 'RESULT' ? { kind: 'reasoning', closes: /✿RETURN✿/ } : { kind: 'nothing' };
}

function callEnd(tag: string, name: string): RegExp | null {
  // Their models stop after a call.
  if (/^<[|｜]/.test(tag) || name === 'TOOL_CALLS' || /^<(?:use_)?tool>$/i.test(tag)) return null;
  if (tag.startsWith('[')) return new RegExp(`\\[(?:/|END_)${name}\\]`, 'i');
  return endOf(name.split('=')[0] ?? '');
}

function endOf(name: string): RegExp {
  const base = name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`</${base}\\s*>`, 'i');
}

const CALL_END = /<\|(?:call|end|return)\|>/;

/** The meaning of the text behind a header such as `<|channel|>analysis<|message|>`. */
export function parseHeader(head: string): TemplateTag {
  // The result of a tool.
  if (/^\s{0,20}functions\./.test(head)) return reasoningTag();
  const recipient = /\bto=(?:functions\.)?([\w-]+)/.exec(head)?.[1];
  if (recipient !== undefined && recipient !== 'assistant')
    return { kind: 'call', closes: CALL_END, name: recipient };
  if (/final/.test(head)) return { kind: 'reasoning-end' };
  // Arguments whose recipient is missing.
  if (/constrain|json/.test(head)) return { kind: 'call', closes: CALL_END };
  return /analysis/.test(head) ? reasoningTag() : { kind: 'nothing' };
}

/** Whether an incomplete tag may become one that is not spoken. */
export const isStartOfTag = (text: string): boolean => {
  const name = NAME.exec(text)?.[1] ?? '';
  if (/^<[|｜]/.test(text)) return true;
  return name.length > 2 && KNOWN_NAMES.some((known) => known.startsWith(name.toLowerCase()));
};

const KNOWN_NAMES = [
  'thinking',
  'thoughts',
  'reasoning',
  'reflection',
  'analysis',
  'scratchpad',
  'tool_calls',
  'tool_request',
  'tool_response',
  'function_calls',
  'function=',
  'invoke',
];

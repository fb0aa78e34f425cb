/** What a mark in the text of an answer begins or ends. */
export type Mark =
  | { kind: 'thought'; closes: RegExp; opens?: RegExp }
  | { kind: 'thought-end' }
  /** `closes` null: the rest of the answer. `name`: that of the tool, where a head tells it; `tag`: it does. */
  | { kind: 'call'; closes: RegExp | null; name?: string; tag?: string }
  /** A head line of a template, up to a mark or the end of the line. */
  | { kind: 'head'; until: string }
  | { kind: 'nothing' };

/** A tag of any template: `<a>`, `</a>`, `<|a|>`, `[A]`, `[/A]`, `◁a▷`. */
const TAG = /^(?:<[^<>\s][^<>]{0,200}>|\[\/?[A-Z][A-Z_]{1,30}\]|◁\/?\w{2,30}▷)/;
/** The beginning of one that may go on in the next piece. */
const TAG_BEGINS = /^(?:<(?:[|｜/!\p{L}][^<>]{0,200})?|\[\/?[A-Z_]{0,30}|◁\/?\w{0,30})$/u;
const NAME = /^[<[◁]\/?[|｜]?\/?([\p{L}\p{N}_:.▁=-]+)/u;
const IS_CLOSING = /^(?:<[|｜]?\/|\[\/|◁\/)|^<[|｜](?:end_of_|end_)|[_▁]end[|｜]?>$|^\[END_/i;

const THOUGHTS =
  /^(?:reason|reflection|analysis|internal|plan|planning|cot|unused94|tool_(?:response|result)s?)$|think|thought|reasoning|monologue|scratch_?pad/i;
/** Of web gateways: a block that a page folds up. */
const FOLDED = /^<details\b[^<>]*(?:reason|think)/i;
/** In templates' own marks a part of the name is enough. */
const TOKEN_THOUGHTS = /think|thought|reason|reflect|analysis|tool_?(?:response|result|output)s?/i;
const BRACKET_THOUGHTS = /^(?:THINK|THINKING|THOUGHTS?|REASONING)$/;
const CALLS =
  /tool[_▁-]?calls?|function[_-]?calls?|^function(?:=|$)|(?:^|:)invoke$|^tool[_-]use$|^(?:use_)?tool$|^tool_code$|^python_tag$|^tool_request$/i;
/** The name of the tool stands in the tag. */
const NAMING = /^<(?:function=|(?:\w+:)?(?:invoke|function|tool|use_tool)\s+name=)/i;
const HEADS: Readonly<Record<string, string>> = {
  start: '<|message|>',
  channel: '<|message|>',
  // The end of a head whose beginning is lost.
  constrain: '<|message|>',
  start_header_id: '<|end_header_id|>',
  im_start: '\n',
  start_of_turn: '\n',
  turn: '\n',
};
/** Tags of templates around the answer itself. */
const AROUND =
  /^(?:\/?(?:answer|response|output|final|final_answer|s|bos|eos|eot|pad|unk|end_of_turn)|INST|RESPONSE|ARGS|BEGIN_OF_TEXT|BOS|EOS)$/i;

const THOUGHT_NAMES =
  'think|thought|reason|reflect|analysis|scratch_?pad|monologue|cot|tool_(?:response|result)s?';
/** A thought within a thought. */
const THOUGHT_BEGIN = new RegExp(`<[^<>/]{0,40}(?:${THOUGHT_NAMES})[^<>/]{0,30}>`, 'i');
/** A head of a template ends a thought, too, and is read again. */
const THOUGHT_END = new RegExp(
  [
    `</[^<>]{0,40}(?:${THOUGHT_NAMES})[^<>]{0,30}>`,
    '<unused95>',
    '<[|｜](?:/|end)[^<>]{0,40}>',
    String.raw`\[/(?:THINK|THINKING|THOUGHTS?|REASONING)\]`,
    String.raw`◁/\w{2,30}▷`,
    String.raw`(?=<\|(?:channel|start)\|>)`,
    String.raw`<\|(?:return|im_end)\|>`,
  ].join('|'),
  'i',
);

/** @returns the length of the tag that `text` begins with; 0: none; -1: it may be one when more has come. */
export function tagAt(text: string): number {
  const tag = TAG.exec(text)?.[0];
  if (tag) return tag.length;
  return TAG_BEGINS.test(text) ? -1 : 0;
}

const thought = (opens?: RegExp): Mark => ({ kind: 'thought', closes: THOUGHT_END, ...(opens && { opens }) });

/**
 * @param tools some models name a tag after the tool that they call
 * @returns null for what belongs to the text
 */
export function markOf(tag: string, tools: ReadonlySet<string>): Mark | null {
  const name = NAME.exec(tag)?.[1] ?? '';
  if (tag === '<|channel>') return { kind: 'thought', closes: /<channel\|>/ };
  if (tag === '<channel|>' || name === 'unused95') return { kind: 'thought-end' };
  if (FOLDED.test(tag)) return { kind: 'thought', closes: /<\/details\s*>/i };
  const isToken = /^<[|｜]|^◁|[|｜]>$/.test(tag);
  const isClosing = IS_CLOSING.test(tag);
  const thoughts = tag.startsWith('[') ? BRACKET_THOUGHTS : isToken ? TOKEN_THOUGHTS : THOUGHTS;
  if (tag.endsWith('/>')) return thoughts.test(name) ? { kind: 'nothing' } : null;
  if (/^(?:internal|plan|planning)$/i.test(name))
    return isClosing ? { kind: 'thought-end' } : { kind: 'thought', closes: endOf(name) };
  if (thoughts.test(name)) return isClosing ? { kind: 'thought-end' } : thought(THOUGHT_BEGIN);
  if (tools.has(name)) return isClosing ? { kind: 'nothing' } : { kind: 'call', closes: endOf(name), tag };
  if (CALLS.test(name)) {
    if (isClosing) return { kind: 'nothing' };
    return { kind: 'call', closes: callEnd(tag, name), ...(NAMING.test(tag) && { tag }) };
  }
  const until = isToken || name === 'start_of_turn' ? HEADS[name] : undefined;
  if (until !== undefined) return { kind: 'head', until };
  return isToken || AROUND.test(name) ? { kind: 'nothing' } : null;
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

/** What follows the head `<|channel|>analysis<|message|>` and the like. */
export function afterHead(head: string): Mark {
  const recipient = /\bto=(?:functions\.)?([\w-]+)/.exec(head)?.[1];
  if (recipient !== undefined && recipient !== 'assistant')
    return { kind: 'call', closes: CALL_END, name: recipient };
  if (/final/.test(head)) return { kind: 'thought-end' };
  // Arguments whose recipient is missing.
  if (/constrain|json/.test(head)) return { kind: 'call', closes: CALL_END };
  return /analysis/.test(head) ? thought() : { kind: 'nothing' };
}

/** Whether a tag that has no end is one of those that are not spoken. */
export const isMarkBegun = (text: string): boolean => {
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

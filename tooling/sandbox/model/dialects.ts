import { refuseAsGemini, refuseRepeatedIds, refuseWithoutReasoning } from './dialect-rules.js';
import {
  begin,
  chunk,
  end,
  half,
  head,
  isEnd,
  newId,
  say,
  steps,
  THOUGHT,
  tokens,
  usage,
  words,
  type Dialect,
  type Json,
} from './dialect-frames.js';
import { ODD_DIALECTS } from './odd-dialects.js';
import type { Decision, FunctionCall } from './policy.js';

type Piece = (call: FunctionCall, index: number) => Json[];
/** A response whose calls are written by `piece`: deltas of `tool_calls`. */
const calling =
  (piece: Piece, tail: Json[] = [usage]) =>
  (decision: Decision): Json[] => [
    begin,
    ...say(decision.content),
    ...decision.calls.flatMap((call, index) => piece(call, index).map((one) => chunk({ tool_calls: [one] }))),
    end(decision),
    ...tail,
  ];

/** The usual form: a head with id and name, then the arguments. */
const usual: Piece = ({ name, arguments: args }, index) => {
  const [first, second] = half(args);
  return [
    { index, id: newId(), type: 'function', function: { name, arguments: '' } },
    { index, function: { arguments: first } },
    { index, function: { arguments: second } },
  ];
};

/** A response with calls in its text, from a server without a parser. */
const writing =
  (write: (calls: readonly FunctionCall[], content: string | null) => string) =>
  (decision: Decision): Json[] => [
    begin,
    ...say(decision.calls.length > 0 ? write(decision.calls, decision.content) : decision.content),
    chunk({}, { finish_reason: 'stop' }),
    usage,
  ];

const object = ({ arguments: args }: FunctionCall): Json => JSON.parse(args) as Json;
const before = (content: string | null): string => (content === null ? '' : `${content} `);
const thinking = (open: string, close: string, between = '') => ({
  frames: (decision: Decision): Json[] => {
    const [first, ...more] = calling(usual)(decision);
    return [first ?? begin, ...say(`${open}${THOUGHT}${close}${between}`), ...more];
  },
});

/** Each with the server that uses it. */
export const DIALECTS = {
  /** OpenAI's own. */
  openai: { frames: calling(usual) },
  /** Groq, gateways: frames without choices; the usage in `x_groq`. */
  'no-choices': {
    frames: (decision) => [
      { ...head, x_groq: { id: 'req_1' } },
      ...calling(usual, [])(decision),
      { usage: tokens },
      { x_groq: { usage: tokens } },
    ],
  },
  /** Local servers: counts that are null or text, usage in every frame. */
  'odd-usage': {
    frames: (decision) => [
      ...calling(usual, [])(decision).map((frame) => ({ ...frame, usage: null })),
      { ...head, choices: [], usage: { prompt_tokens: '11', completion_tokens: null } },
    ],
  },
  /** A new id in each piece, the name only in the first. */
  'id-per-piece': {
    frames: calling((call, index) => usual(call, index).map((piece) => ({ ...piece, id: newId() }))),
  },
  /** llama.cpp: the arguments are an object. */
  'object-arguments': {
    frames: calling((call, index) => [
      { index, id: newId(), function: { name: call.name, arguments: object(call) } },
    ]),
  },
  /** Gemini: a signature that has to be returned, no empty lists of parameters. */
  gemini: {
    frames: calling((call, index) => [
      {
        index: 0,
        id: `function-call-${index}`,
        type: 'function',
        function: call,
        extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } },
      },
    ]),
    refuse: refuseAsGemini,
  },
  /** Ollama and others: neither ids nor indexes. */
  bare: {
    frames: calling(({ name, arguments: args }) => [{ function: { name, arguments: args } }]),
    refuse: refuseRepeatedIds,
  },
  /** Every call at index 0, the arguments repeated. */
  doubled: {
    frames: calling(({ name, arguments: args }) => {
      const id = newId();
      return [
        { index: 0, id, type: 'function', function: { name, arguments: args } },
        { index: 0, id, function: { arguments: args } },
      ];
    }),
  },
  /** vLLM and others: the whole message repeated, instead of a delta. */
  'message-at-end': {
    frames: (decision) => [
      ...calling(usual, [])(decision).slice(0, -1),
      {
        ...head,
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: decision.content,
              tool_calls: decision.calls.map((call) => ({ id: newId(), type: 'function', function: call })),
            },
            finish_reason: decision.calls.length > 0 ? 'tool_calls' : 'stop',
          },
        ],
      },
      usage,
    ],
  },
  /** Mistral: content as a list of parts, some of them reasoning. */
  'content-parts': {
    frames: (decision) => [
      chunk({
        role: 'assistant',
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: THOUGHT }] }],
      }),
      ...words(decision.content).map((text) => chunk({ content: [{ type: 'text', text }] })),
      ...calling(usual)({ ...decision, content: null }).slice(1),
    ],
  },
  /** DeepSeek: reasoning in a field, which has to be returned with calls. */
  'reasoning-field': {
    frames: (decision) => [
      ...words(THOUGHT).map((text) => chunk({ content: null, reasoning_content: text, reasoning: text })),
      ...calling(usual)(decision),
    ],
    refuse: refuseWithoutReasoning,
  },
  'think-tags': thinking('<think>\n', '\n</think>\n\n'),
  'thinking-tags': thinking('<thinking>', '</thinking>'),
  /** The template opens the reasoning. */
  'closing-tag': thinking('', '\n</think>\n\n'),
  /** Magistral in the format of its template. */
  'bracket-tags': thinking('[THINK]', '[/THINK]'),
  /** gpt-oss without a parser. */
  harmony: {
    frames: ({ content, calls }) => [
      begin,
      ...say(
        `<|channel|>analysis<|message|>${THOUGHT}<|end|>` +
          (content === null ? '' : `<|start|>assistant<|channel|>final<|message|>${content}<|end|>`) +
          calls
            .map(
              (call) =>
                `<|start|>assistant<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${call.arguments}<|call|>`,
            )
            .join(''),
      ),
      chunk({}, { finish_reason: 'stop' }),
      usage,
    ],
  },
  /** Hermes, Qwen. */
  'tool-call-tags': {
    frames: writing(
      (calls, content) =>
        before(content) +
        calls
          .map(
            (call) =>
              `<tool_call>\n${JSON.stringify({ name: call.name, arguments: object(call) })}\n</tool_call>`,
          )
          .join('\n'),
    ),
  },
  /** Qwen's coder. */
  'function-tags': {
    frames: writing(
      (calls, content) =>
        before(content) +
        calls
          .map(
            (call) =>
              `<tool_call>\n<function=${call.name}>\n${Object.entries(object(call))
                .map(([key, value]) => `<parameter=${key}>\n${String(value)}\n</parameter>\n`)
                .join('')}</function>\n</tool_call>`,
          )
          .join('\n'),
    ),
  },
  /** Llama: a call is the whole text. */
  llama: {
    frames: writing((calls) =>
      calls.map((call) => JSON.stringify({ name: call.name, parameters: object(call) })).join('\n'),
    ),
  },
  /** Mistral without a parser. */
  'tool-calls-mark': {
    frames: writing(
      (calls, content) =>
        `${before(content)}[TOOL_CALLS]${JSON.stringify(calls.map((call) => ({ name: call.name, arguments: object(call) })))}`,
    ),
  },
  /** Models that write their calls as code. */
  fenced: {
    frames: writing(
      (calls, content) =>
        before(content) +
        calls
          .map(
            (call) =>
              `\`\`\`json\n${JSON.stringify({ name: call.name, arguments: object(call) }, null, 2)}\n\`\`\``,
          )
          .join('\n'),
    ),
  },
  /** Steps of ReAct, with invented results. */
  react: { frames: (decision) => calling(usual)({ content: steps(THOUGHT, decision), calls: [] }) },
  /** Proxies: CRLF, comments, a byte order mark, `data:` without a blank, no end marker. */
  'odd-events': {
    frames: calling(usual),
    body: (frames) => [
      '\uFEFF: KEEP-ALIVE\r\n\r\n',
      ...frames.map(
        (frame) => `: PROCESSING\r\nevent: message\r\nid: 1\r\ndata:${JSON.stringify(frame)}\r\n\r\n`,
      ),
    ],
  },
  /** Events of several lines, and no finish reason in any frame. */
  'several-lines': {
    frames: (decision) => calling(usual)(decision).filter((frame) => !isEnd(frame)),
    body: (frames) => [
      ...frames.map((frame) => `data: ${JSON.stringify(frame, null, 1).replaceAll('\n', '\ndata: ')}\n\n`),
      'data: [DONE]\n\n',
    ],
  },
  /** Servers without streaming: one JSON text. */
  'one-body': {
    frames: ({ content, calls }) => [
      {
        id: 'chatcmpl-odd',
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content,
              tool_calls: calls.map((call) => ({ id: newId(), type: 'function', function: call })),
            },
            finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
          },
        ],
        usage: tokens,
      },
    ],
    body: (frames) => frames.map((frame) => JSON.stringify(frame, null, 2)),
  },
  ...ODD_DIALECTS,
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;
export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];
export const dialect = (name: DialectName): Dialect => DIALECTS[name];

/** The body of a response, in the pieces in which it is sent. */
export const bodyOf = ({ body }: Dialect, frames: readonly Json[]): string[] =>
  body?.(frames) ?? [...frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`), 'data: [DONE]\n\n'];

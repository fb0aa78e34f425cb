import { begin, chunk, end, say, THOUGHT, usage, words, type Dialect, type Json } from './dialect-frames.js';
import type { FunctionCall } from './policy.js';

/** A call as JavaScript: keys without quotes. */
const script = ({ name, arguments: args }: FunctionCall): string => {
  const values = Object.entries(JSON.parse(args) as Json);
  const fields = values.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ');
  return values.length > 0 ? `${name}({ ${fields} })` : `${name}({})`;
};

const contentOf = (frame: Json): string | null => {
  const [choice] = Array.isArray(frame['choices']) ? (frame['choices'] as (Json | null)[]) : [];
  if (Number(choice?.['index']) > 0) return null;
  const content = (choice?.['delta'] as Json | null | undefined)?.['content'];
  return typeof content === 'string' && content !== '' ? content : null;
};

/** Dialects of gateways and small models. */
export const ODD_DIALECTS = {
  /** Gateways that send all of the text in each delta. */
  'growing-deltas': {
    frames: ({ content, calls }) => [
      begin,
      ...say(content),
      ...calls.map((call, index) =>
        chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: call }] }),
      ),
      end({ calls }),
      usage,
    ],
    body: (frames) => {
      let text = '';
      // Of two pieces, `J` and `Ja`, the second may be the rest of the word.
      const mayGrow = frames.filter((frame) => contentOf(frame) !== null).length > 2;
      const grown = frames.map((frame) => {
        const content = contentOf(frame);
        if (content === null || !mayGrow) return frame;
        text += content;
        const [choice, ...others] = frame['choices'] as Json[];
        return {
          ...frame,
          choices: [{ ...choice, delta: { ...(choice?.['delta'] as Json), content: text } }, ...others],
        };
      });
      return [...grown.map((frame) => `data: ${JSON.stringify(frame)}\n\n`), 'data: [DONE]\n\n'];
    },
  },
  /** Gateways that mark thoughts by a field of their frame. */
  'marked-thoughts': {
    frames: ({ content, calls }) => [
      begin,
      ...words(THOUGHT).map((text) => chunk({ thought: true, content: text })),
      ...say(content),
      ...calls.map((call, index) =>
        chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: call }] }),
      ),
      end({ calls }),
      usage,
    ],
  },
  /** Thoughts whose tags are escaped for JSON, and calls as JavaScript. */
  'escaped-thoughts': {
    frames: ({ content, calls }) => [
      begin,
      ...say(String.raw`\u003cthink\u003e ${THOUGHT} \u003c/think\u003e `),
      ...say([content ?? '', ...calls.map(script)].filter((text) => text !== '').join('\n')),
      chunk({}, { finish_reason: 'stop' }),
      usage,
    ],
  },
} as const satisfies Record<string, Dialect>;

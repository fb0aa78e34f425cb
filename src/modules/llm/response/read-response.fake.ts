import type { ModelDelta } from '../language-model.js';
import { ReasoningRegistry } from './reasoning-buffer.js';
import { ModelResponse } from './model-response.js';
import { toOfferedTools } from './tool-names.js';
import { readFrames } from './response-frames.js';

export interface ReadResponse {
  text: string;
  calls: Extract<ModelDelta, { kind: 'tool_call' }>[];
  stopped: 'length' | 'filter' | null;
  error: string | null;
  usage: ModelResponse['usage'];
}

/** How the same text may arrive, by its name. */
export const CUTS: [string, (text: string) => string[]][] = [
  ['whole', (text) => [text]],
  ['in words', (text) => text.match(/\S+\s*/g) ?? []],
  ['in characters', (text) => [...text]],
];

/** A frame of a stream with one choice. */
export const frame = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/**
 * Reads a body as the adapter does; `spoken`: as the first response of a call, else as a complete one; `parameters`: of
 * the tools, by their names.
 */
export async function readResponse(
  chunks: readonly (string | Uint8Array)[],
  tools: readonly string[],
  spoken = true,
  parameters: Readonly<Record<string, readonly string[]>> = {},
): Promise<ReadResponse> {
  const response = new ModelResponse({
    model: 'odd',
    tools: toOfferedTools(
      tools.map((name) => {
        const names = parameters[name] ?? [];
        return { name, parameters: { properties: Object.fromEntries(names.map((one) => [one, {}])) } };
      }),
    ),
    isSpoken: spoken,
    usedIds: new Set(['used']),
  });
  const request = { messages: [], ...(spoken && { speech: { prompt: '' } }) };
  const buffer = new ReasoningRegistry().createBuffer('odd', request, 'http://127.0.0.1/v1');
  const read: ReadResponse = { text: '', calls: [], stopped: null, error: null, usage: null };
  const take = (deltas: readonly ModelDelta[]): void => {
    for (const delta of deltas) {
      // Spoken text cannot be retracted.
      if (delta.kind === 'retract') read.text = spoken ? read.text : '';
      else if (delta.kind === 'text') read.text += delta.text;
      else if (delta.kind === 'tool_call') read.calls.push(delta);
      else if (delta.kind === 'stopped') read.stopped = delta.reason;
    }
  };
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk));
  try {
    for await (const received of readFrames({ body: streamOf(bytes) })) {
      take(buffer.filterDeltas(response.readFrame(received), response.isReasoningMarked));
      if (response.isDone) break;
    }
    take(buffer.flush(response.end()));
  } catch (error) {
    // A failed complete response has no text.
    if (!spoken) read.text = '';
    read.error = error instanceof Error ? error.message : String(error);
  }
  read.usage = response.usage;
  return read;
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
      controller.close();
    },
  });
}

import type { ModelDelta } from '../language-model.js';
import { ThoughtHabits } from './held-text.js';
import { ModelAnswer } from './model-answer.js';
import { framesOf } from './response-frames.js';

export interface ReadAnswer {
  text: string;
  calls: Extract<ModelDelta, { kind: 'tool_call' }>[];
  stopped: 'length' | 'filter' | null;
  error: string | null;
  usage: ModelAnswer['usage'];
}

/**
 * Reads a body as the adapter does; `spoken`: as the first answer of a call, else as one that is read when it is whole.
 */
export async function readAnswer(
  chunks: readonly (string | Uint8Array)[],
  tools: readonly string[],
  spoken = true,
): Promise<ReadAnswer> {
  const answer = new ModelAnswer({
    model: 'odd',
    tools: new Set(tools),
    isSpoken: spoken,
    usedIds: new Set(['used']),
  });
  const held = new ThoughtHabits().holdFor('odd', spoken ? { isFirst: true, prompt: '' } : undefined);
  const read: ReadAnswer = { text: '', calls: [], stopped: null, error: null, usage: null };
  const take = (deltas: readonly ModelDelta[]): void => {
    for (const delta of deltas) {
      // What was spoken cannot be taken back.
      if (delta.kind === 'retract') read.text = spoken ? read.text : '';
      else if (delta.kind === 'text') read.text += delta.text;
      else if (delta.kind === 'tool_call') read.calls.push(delta);
      else if (delta.kind === 'stopped') read.stopped = delta.reason;
    }
  };
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk));
  try {
    for await (const frame of framesOf({ body: streamOf(bytes) })) {
      take(held.pass(answer.take(frame), answer.isPlain));
      if (answer.isDone) break;
    }
    take(held.end(answer.end()));
  } catch (error) {
    // What is read when it is whole is not read at all then.
    if (!spoken) read.text = '';
    read.error = error instanceof Error ? error.message : String(error);
  }
  read.usage = answer.usage;
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

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type LanguageModel,
  type ModelDelta,
  type StreamRequest,
  LanguageModelError,
} from './language-model.js';
import type { ModelStep } from './language-model.fake.js';

export interface LanguageModelHarness {
  model: LanguageModel;
  willSay(...steps: ModelStep[]): void;
  /** The next complete answer, or the status with which it is refused. */
  willComplete(answer: string | number): void;
  close(): Promise<void>;
}

export const STREAM_REQUEST: StreamRequest = {
  model: 'gpt-test',
  temperature: 0.2,
  messages: [{ role: 'customer', text: 'Hello' }],
  tools: [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object', properties: {} } }],
  mayCallTools: true,
  maxOutputTokens: 500,
};

export async function listen(
  model: LanguageModel,
  signal: AbortSignal,
  request = STREAM_REQUEST,
): Promise<ModelDelta[]> {
  const deltas: ModelDelta[] = [];
  for await (const delta of model.stream(request, signal)) deltas.push(delta);
  return deltas;
}

/** The contract suite of language models; the fake runs it too. */
export function describeLanguageModel(name: string, start: () => Promise<LanguageModelHarness>): void {
  describe(`${name} as a language model`, () => {
    let harness: LanguageModelHarness;
    let never: AbortSignal;

    beforeEach(async () => {
      harness = await start();
      never = new AbortController().signal;
    });

    afterEach(() => harness.close());

    it('tells the text piece by piece and tool calls whole, after it', async () => {
      harness.willSay(
        'One ',
        'two.',
        { call: 'look_up', args: '{"what":"x"}' },
        { call: 'look_up', args: '{}' },
      );
      const deltas = await listen(harness.model, never);
      expect(deltas.slice(0, 2)).toEqual([
        { kind: 'text', text: 'One ' },
        { kind: 'text', text: 'two.' },
      ]);
      expect(deltas.slice(2)).toMatchObject([
        { kind: 'tool_call', name: 'look_up', arguments: '{"what":"x"}' },
        { kind: 'tool_call', name: 'look_up', arguments: '{}' },
      ]);
      const ids = deltas.slice(2).map((delta) => (delta.kind === 'tool_call' ? delta.id : ''));
      expect(new Set(ids).size).toBe(2);
    });

    it('ends quietly when nobody listens any more', async () => {
      const controller = new AbortController();
      harness.willSay('One ', { waitMs: 20_000 }, 'two.', { call: 'look_up' });
      const heard: ModelDelta[] = [];
      for await (const delta of harness.model.stream(STREAM_REQUEST, controller.signal)) {
        heard.push(delta);
        controller.abort();
      }
      expect(heard).toEqual([{ kind: 'text', text: 'One ' }]);
    });

    it('fails in its own terms, also in mid-sentence', async () => {
      harness.willSay('One ', { waitMs: 20 }, { failure: new LanguageModelError('cut', true) });
      await expect(listen(harness.model, never)).rejects.toMatchObject({
        name: 'LanguageModelError',
        retryable: true,
      });
    });

    it('answers as a whole, or says whether asking again makes sense', async () => {
      const request = {
        model: 'gpt-test',
        messages: STREAM_REQUEST.messages,
        form: { kind: 'json' },
      } as const;
      harness.willComplete('{"a":1}');
      expect(await harness.model.complete(request, never)).toBe('{"a":1}');
      harness.willComplete(503);
      await expect(harness.model.complete(request, never)).rejects.toMatchObject({
        retryable: true,
        status: 503,
      });
      harness.willComplete(400);
      await expect(harness.model.complete(request, never)).rejects.toMatchObject({
        retryable: false,
        status: 400,
      });
    });
  });
}

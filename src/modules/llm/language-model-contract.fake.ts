import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ChatModelCatalog,
  type LanguageModel,
  type ModelDelta,
  type StreamRequest,
  LanguageModelError,
} from './language-model.js';
import type { ModelStep } from './language-model.fake.js';

export interface LanguageModelHarness {
  model: LanguageModel;
  willSay(...steps: ModelStep[]): void;
  /** The next complete response, or an HTTP error status. */
  willComplete(answer: string | number): void;
  close(): Promise<void>;
}

/** A catalogue in which every name is a model without a setting of its own. */
export const ANY_CHAT_MODEL: ChatModelCatalog = {
  findChatModel: async (code) => ({
    code,
    endpoint: null,
    takesTemperature: true,
    outputLimitField: 'max_tokens',
    reasoningEffort: null,
  }),
};

export const STREAM_REQUEST: StreamRequest = {
  model: 'gpt-test',
  temperature: 0.2,
  messages: [{ role: 'customer', text: 'Hello' }],
  tools: [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object', properties: {} } }],
  mayCallTools: true,
  maxOutputTokens: 500,
};

export async function collectDeltas(
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

    it('streams the text in pieces, and complete tool calls after it', async () => {
      harness.willSay(
        'One ',
        'two.',
        { call: 'look_up', args: '{"what":"x"}' },
        { call: 'look_up', args: '{}' },
      );
      const deltas = await collectDeltas(harness.model, never);
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

    it('ends without an error on abort', async () => {
      const controller = new AbortController();
      harness.willSay('One ', { waitMs: 20_000 }, 'two.', { call: 'look_up' });
      const heard: ModelDelta[] = [];
      for await (const delta of harness.model.stream(STREAM_REQUEST, controller.signal)) {
        heard.push(delta);
        controller.abort();
      }
      expect(heard).toEqual([{ kind: 'text', text: 'One ' }]);
    });

    it('fails with a LanguageModelError, also in mid-sentence', async () => {
      harness.willSay('One ', { waitMs: 20 }, { failure: new LanguageModelError('cut', true) });
      await expect(collectDeltas(harness.model, never)).rejects.toMatchObject({
        name: 'LanguageModelError',
        retryable: true,
      });
    });

    it('fails after a longer pause within the response than the request allows', async () => {
      const request = { ...STREAM_REQUEST, maxPauseMs: 20 };
      harness.willSay('One ', { waitMs: 1_000 }, 'two.');
      await expect(collectDeltas(harness.model, never, request)).rejects.toMatchObject({ retryable: true });
      harness.willSay({ waitMs: 100 }, 'One.');
      expect(await collectDeltas(harness.model, never, request)).toEqual([{ kind: 'text', text: 'One.' }]);
    });

    it('returns a complete response, or fails with whether a retry makes sense', async () => {
      const request = {
        model: 'gpt-test',
        messages: STREAM_REQUEST.messages,
        responseFormat: { kind: 'json' },
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

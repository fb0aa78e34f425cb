import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { Bench } from '../sandbox.fake.js';
import { SANDBOX_API_KEY } from '../defaults.js';

const TOOLS: OpenAI.Chat.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'find_order',
      description: 'Looks up an order.',
      parameters: { type: 'object', properties: { order_number: { type: 'string' } } },
    },
  },
];

describe('streams of unusual servers', () => {
  let bench: Bench;
  let client: OpenAI;

  beforeEach(async () => {
    bench = await Bench.start();
    client = new OpenAI({ baseURL: `${bench.sandbox.url}/v1`, apiKey: SANDBOX_API_KEY, maxRetries: 0 });
  });
  afterEach(() => bench.stop());

  const open = (quirks: string, said: string, signal?: AbortSignal) =>
    client.chat.completions.create(
      {
        model: `gpt-4.1-mini${quirks}`,
        stream: true,
        messages: [{ role: 'user', content: said }],
        tools: TOOLS,
      },
      { signal: signal ?? null },
    );

  async function deltas(quirks: string, said: string) {
    const found = [];
    for await (const { choices, usage } of await open(quirks, said)) {
      expect(usage ?? null).toBeNull();
      found.push(...choices.map(({ delta }) => delta));
    }
    return found;
  }

  const callsIn = (found: Awaited<ReturnType<typeof deltas>>) => found.flatMap((one) => one.tool_calls ?? []);
  const ORDER = 'Can you look up my order 4711?';

  it('are in order where nothing else is requested', async () => {
    const calls = callsIn(await deltas('+parallel', ORDER));
    const named = calls.filter((call) => call.function?.name !== undefined);
    expect(named.map(({ index }) => index)).toEqual([0, 1]);
    expect(new Set(named.map(({ id }) => id)).size).toBe(2);
  });

  it('have one and the same index for parallel calls', async () => {
    const calls = callsIn(await deltas('+parallel+same-index', ORDER));
    expect(new Set(calls.map(({ index }) => index))).toEqual(new Set([0]));
    expect(calls.filter((call) => call.function?.name !== undefined)).toHaveLength(2);
  });

  it('omit the ids of calls', async () => {
    const calls = callsIn(await deltas('+no-ids', ORDER));
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.every((call) => !('id' in call))).toBe(true);
  });

  it('contain reasoning, in a field of its own or in the text', async () => {
    const reasoned = await deltas('+reasons', 'Hello?');
    const thoughts = reasoned.map((delta) => ('reasoning_content' in delta ? delta.reasoning_content : ''));
    expect(thoughts.join('')).toMatch(/The customer wants something/);
    expect(reasoned.map(({ content }) => content ?? '').join('')).not.toMatch(/customer wants/);
    const thought = (await deltas('+thinks', 'Hello?')).map(({ content }) => content ?? '').join('');
    expect(thought).toMatch(/^<think>The customer wants something.*<\/think>\w/);
  });

  it('end without text', async () => {
    const found = await deltas('+empty', ORDER);
    expect(found.map(({ content }) => content ?? '').join('')).toBe('');
    expect(callsIn(found)).toEqual([]);
  });

  it('hang after the beginning until the client disconnects', async () => {
    const controller = new AbortController();
    const stream = await open('+hangs', 'Hello?', controller.signal);
    let chunks = 0;
    for await (const _ of stream) {
      chunks++;
      setTimeout(() => controller.abort(), 200);
    }
    expect(controller.signal.aborted).toBe(true);
    expect(chunks).toBe(1);
  });

  it('begin at the second request where too many came', async () => {
    const refusal = await open('+busy', 'Hello?').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, type: 'requests', code: 'rate_limit_exceeded' });
    expect(refusal instanceof OpenAI.APIError && refusal.headers?.get('retry-after')).toBe('1');
    expect(await deltas('+busy', 'Hello?')).not.toEqual([]);
    await expect(open('+busy', 'Goodbye!')).rejects.toMatchObject({ status: 429 });
  });

  it('begin late', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await expect(open('+late', 'Hello?', controller.signal)).rejects.toThrow('aborted');
  });
});

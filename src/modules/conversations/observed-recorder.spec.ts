import { beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { partialFake } from '#src/common/partial.fake.js';
import { ConversationMetricsService } from './conversation-metrics.service.js';
import type { ConversationRecorder, RecordedTurn } from './engine/conversation-recorder.js';
import type { ToolOutcome } from './engine/tool-runner.js';
import { ObservedRecorder } from './observed-recorder.js';

const stored: ConversationRecorder = {
  storeTurn: async () => undefined,
  truncateTurn: async () => undefined,
  markTurnPlayed: async () => undefined,
  storeToolCall: async () => undefined,
  storeUsage: async () => undefined,
  storeTransfer: async () => undefined,
  storeScreening: async () => undefined,
  suppressNumber: async () => undefined,
  storeEnd: async () => undefined,
  flush: () => undefined,
};

describe('ObservedRecorder', () => {
  let registry: Registry;
  let metrics: ConversationMetricsService;
  let recorder: ObservedRecorder;

  beforeEach(() => {
    registry = new Registry();
    metrics = new ConversationMetricsService(partialFake({ registry }));
    recorder = new ObservedRecorder(stored, metrics, 0);
  });

  const value = async (name: string): Promise<number | undefined> => {
    const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  const answer = (seq: number, timings: RecordedTurn['timings']) =>
    recorder.storeTurn({ seq, role: 'assistant', kind: 'speech', text: 'Yes.', interrupted: false, timings });
  const customer = (seq: number, prompt: number, timings: RecordedTurn['timings'] = {}) =>
    recorder.storeTurn({
      seq,
      role: 'customer',
      kind: 'speech',
      text: 'Hi.',
      interrupted: false,
      timings: { prompt, ...timings },
    });

  it('measures an answer once, however often it is stored and in however many parts it is spoken', async () => {
    await answer(1, { textFirst: 500 });
    await customer(2, 1_000);
    await answer(3, { prompt: 1_000, textFirst: 1_400 });
    await answer(3, { prompt: 1_000, textFirst: 1_400 });
    await answer(4, { prompt: 1_000, textFirst: 6_000 });
    expect(await value('conversation_first_frame_seconds_count')).toBe(1);
    expect(await value('conversation_first_frame_seconds_sum')).toBeCloseTo(0.4);
  });

  it('does not measure what another process stores', async () => {
    recorder = new ObservedRecorder(stored, metrics, 3);
    await answer(3, { prompt: 1_000, textFirst: 1_400 });
    expect(await value('conversation_first_frame_seconds_count')).toBe(0);
  });

  it('measures the wait for the end of an utterance where the last sound is known', async () => {
    await customer(1, 1_000, { silent: 300 });
    await customer(2, 9_000);
    expect(await value('conversation_endpoint_wait_seconds_count')).toBe(1);
    expect(await value('conversation_endpoint_wait_seconds_sum')).toBeCloseTo(0.7);
  });

  it('counts an interruption when the conversation continues, and not a hang-up', async () => {
    await answer(1, { textFirst: 0 });
    await recorder.truncateTurn(1, 'Ye', 100);
    await customer(2, 200);
    await answer(3, { prompt: 200, textFirst: 300 });
    await recorder.truncateTurn(3, '', 400);
    expect(await value('conversation_interruptions_total')).toBe(1);
  });

  it('measures no filler, nor its interruption', async () => {
    await customer(1, 0);
    const filler = { role: 'assistant', kind: 'filler', text: 'Hm.', interrupted: false } as const;
    await recorder.storeTurn({ ...filler, seq: 2, timings: { prompt: 0, textFirst: 700 } });
    await recorder.truncateTurn(2, 'H', 800);
    await customer(3, 900);
    expect(await value('conversation_interruptions_total')).toBe(0);
    expect(await value('conversation_first_frame_seconds_count')).toBe(0);
  });

  it.each<[string, Partial<ToolOutcome> & { ok: boolean }]>([
    ['ok', { ok: true, statusCode: 200 }],
    ['refused', { ok: false, statusCode: 404 }],
    ['failed', { ok: false, statusCode: 503 }],
    ['failed', { ok: false, statusCode: 302 }],
    ['no_answer', { ok: false, statusCode: null }],
  ])('measures tools as %s', async (outcome, fields) => {
    const call = { seq: 1, arguments: {}, answer: '' };
    const ran = { durationMs: 1_500, error: '', result: null, ...fields } as ToolOutcome;
    await recorder.storeToolCall({ ...call, name: 'find_order', outcome: ran });
    await recorder.storeToolCall({ ...call, name: 'switch_language', outcome: ran });
    expect(await value(`tool_duration_seconds_sum{outcome="${outcome}"}`)).toBe(1.5);
  });

  it('measures nothing that is not stored, because it is stored again', async () => {
    const away = new ObservedRecorder(
      { ...stored, storeTurn: () => Promise.reject(new Error('away')) },
      metrics,
      0,
    );
    const turn = { seq: 1, role: 'assistant', kind: 'speech', text: '', interrupted: false } as const;
    await expect(away.storeTurn({ ...turn, timings: { prompt: 0, textFirst: 1 } })).rejects.toThrow('away');
    expect(await value('conversation_first_frame_seconds_count')).toBe(0);
  });
});

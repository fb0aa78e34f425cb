import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { RealtimeEvent } from '../realtime-model.js';
import { OpenAiRealtimeConnection } from './openai-realtime-connection.js';

const created = (name: unknown, id: unknown = 'resp_1') => ({
  type: 'response.created',
  response: { id, metadata: { name } },
});

/** A socket without a network. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  pings = 0;
  readonly sent: unknown[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  ping(): void {
    this.pings += 1;
  }

  terminate(): void {
    this.readyState = 3;
    this.emit('close');
  }
}

async function passes(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

const output = { response_id: 'resp_1', item_id: 'item_1' };

describe('OpenAiRealtimeConnection', () => {
  let events: RealtimeEvent[];
  let socket: FakeSocket;
  let connection: OpenAiRealtimeConnection;

  beforeEach(() => {
    // The connection only has an interval.
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'setTimeout',
      ],
    });
    events = [];
    socket = new FakeSocket();
    const onEvent = (event: RealtimeEvent) => events.push(event);
    connection = new OpenAiRealtimeConnection(socket as unknown as WebSocket, onEvent, null);
    connection.handleFrame(created('answer-1'));
  });

  afterEach(() => void jest.useRealTimers());

  it('closes when the provider sends neither a pong nor a message for 4 s', async () => {
    for (const sign of ['pong', 'message', 'pong']) {
      await passes(2_000);
      socket.emit(sign);
    }
    await passes(2_000);
    expect([socket.pings, events]).toEqual([4, []]);
    await passes(2_000);
    expect([events, jest.getTimerCount()]).toEqual([[{ kind: 'closed' }], 0]);
  });

  it('does not close when a pong waits to be read, because the process was busy', async () => {
    await passes(2_000);
    jest.advanceTimersByTime(2_000);
    socket.emit('pong');
    await passes(0);
    expect(events).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no object', null],
    ['a list', [1]],
    ['of no type', {}],
    ['an error without an error', { type: 'error' }],
    ['an error of another form', { type: 'error', error: { code: { a: 1 }, type: [], event_id: 5 } }],
    ['a response that is none', { type: 'response.created' }],
    ['a response without an id', created('answer-2', { toString: 1 })],
    ['a response of another name', created(['answer-2'], 'resp_2')],
    ['the end of nothing', { type: 'response.done', response: null }],
    ['audio without audio', { type: 'response.output_audio.delta', ...output }],
    ['audio of numbers', { type: 'response.output_audio.delta', ...output, delta: 2 ** 40 }],
    ['audio of no item', { type: 'response.output_audio.delta', response_id: 'resp_1', delta: '//8=' }],
    ['words without words', { type: 'response.output_audio_transcript.delta', ...output, delta: {} }],
    ['an item of no response', { type: 'response.output_item.done', item: { type: 'message' } }],
    [
      'a call without an id',
      { type: 'response.output_item.done', ...output, item: { type: 'function_call' } },
    ],
    ['speech of nobody', { type: 'input_audio_buffer.speech_started', item_id: 7 }],
  ])('leaves out what is no event: %s', (_case, event) => {
    connection.handleFrame(event);
    expect(events).toEqual([]);
  });

  it('cancels a response that has not begun when it begins, and no other one', () => {
    connection.cancelResponse('sentence-1');
    connection.handleFrame(created('answer-2', 'resp_2'));
    expect(socket.sent).toEqual([]);
    for (const id of ['resp_3', 'resp_4']) connection.handleFrame(created('sentence-1', id));
    expect(socket.sent).toEqual([{ type: 'response.cancel', response_id: 'resp_3' }]);
  });

  it('commits audio, and goes on where all of it is committed already', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    connection.commitAudio();
    expect(socket.sent).toEqual([{ type: 'input_audio_buffer.commit' }]);
    connection.handleFrame({ type: 'error', error: { code: 'input_audio_buffer_commit_empty' } });
    expect([events, warn.mock.calls]).toEqual([[], []]);
    warn.mockRestore();
  });

  it.each([
    ['the beginning of an item', { type: 'response.output_item.added', item: { type: 'function_call' } }],
    ['an argument of a call', { type: 'response.function_call_arguments.delta', delta: '{"day":' }],
    ['the end of a message', { type: 'response.output_item.done', item: { type: 'message' } }],
  ])('reports progress of a response without speech: %s', (_case, event) => {
    connection.handleFrame({ ...output, ...event });
    expect(events).toEqual([{ kind: 'progress', response: 'answer-1' }]);
  });

  it('treats words that are not text as not transcribed', () => {
    const type = 'conversation.item.input_audio_transcription.completed';
    connection.handleFrame({ type, item_id: 'item_2', transcript: { a: 1 } });
    expect(events).toEqual([{ kind: 'heard', itemId: 'item_2', text: null }]);
  });

  it('counts nothing where usage is no number, and treats an unknown end as a failure', () => {
    const usage = { input_tokens: '12', output_tokens: -1, input_token_details: 3 };
    connection.handleFrame({ type: 'response.done', response: { id: 'resp_1', status: 'x', usage } });
    const nothing = { prompt: 0, cached: 0, completion: 0 };
    expect(events).toEqual([{ kind: 'done', response: 'answer-1', status: 'failed', usage: nothing }]);
  });

  it.each([
    ['rate_limit_exceeded', 'Rate limit reached. Please try again in 1.2s. Visit us.', 1_200],
    ['rate_limit_exceeded', 'Please try again in 20ms.', 20],
    ['rate_limit_exceeded', 'Please try again in 6m0s.', 360_000],
    ['rate_limit_exceeded', 'Please try again in 1m30.5s.', 90_500],
    ['rate_limit_exceeded', 'Please try again in a while.', undefined],
    ['rate_limit_exceeded', { text: 'try again in 3s' }, undefined],
    ['server_error', 'Please try again in 3s.', undefined],
  ])('reads the time after which a provider accepts requests: %s, %j', (code, message, retryAfterMs) => {
    const status_details = { type: 'failed', error: { code, message } };
    connection.handleFrame({
      type: 'response.done',
      response: { id: 'resp_1', status: 'failed', status_details },
    });
    const done = { kind: 'done', response: 'answer-1', status: 'failed', usage: null };
    expect(events).toEqual([{ ...done, ...(retryAfterMs !== undefined && { retryAfterMs }) }]);
  });

  it('discards the oldest of very many responses that never end', () => {
    for (let count = 2; count <= 102; count += 1)
      connection.handleFrame(created(`x-${count}`, `resp_${count}`));
    const delta = { type: 'response.output_audio_transcript.delta', item_id: 'item_1', delta: 'Hello' };
    connection.handleFrame({ ...delta, response_id: 'resp_1' });
    expect(events).toEqual([]);
    connection.handleFrame({ ...delta, response_id: 'resp_102' });
    expect(events).toHaveLength(1);
  });
});

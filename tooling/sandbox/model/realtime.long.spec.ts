import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { Bench } from '../sandbox.fake.js';
import { SANDBOX_API_KEY } from '../defaults.js';
import { speechBytes } from '../speech/speech-code.js';
import { recogniseTones, toneSpeech } from '../speech/tones.js';

type Event = Record<string, unknown> & { type: string };

/** A client of `/v1/realtime` without a library, on JSON only. */
class Client {
  readonly events: Event[] = [];
  private wake: () => void = () => undefined;

  constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.events.push(JSON.parse(String(data)) as Event);
      this.wake();
    });
  }

  send(event: unknown): void {
    this.socket.send(typeof event === 'string' ? event : JSON.stringify(event));
  }

  async next(type: string): Promise<Event> {
    for (;;) {
      const index = this.events.findIndex((event) => event.type === type);
      if (index >= 0) return this.events.splice(index, 1)[0] as Event;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** @returns the message of the error event */
  async refusal(event: unknown): Promise<unknown> {
    this.send(event);
    const { error } = (await this.next('error')) as unknown as { error: Record<string, unknown> };
    return error;
  }
}

const pcmu = { type: 'audio/pcmu' };
const session = (audio: object, more: object = {}) => ({
  type: 'session.update',
  session: { type: 'realtime', audio, ...more },
});

describe('the realtime model of the sandbox', () => {
  let bench: Bench;
  let socket: WebSocket;
  let client: Client;

  beforeEach(async () => {
    bench = await Bench.start();
    socket = new WebSocket(`${bench.sandbox.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`, {
      headers: { authorization: `Bearer ${SANDBOX_API_KEY}` },
    });
    client = new Client(socket);
    await client.next('session.created');
  });

  const openWith = async (model: string) => {
    const url = `${bench.sandbox.url.replace('http', 'ws')}/v1/realtime?model=${model}`;
    const own = new WebSocket(url, { headers: { authorization: `Bearer ${SANDBOX_API_KEY}` } });
    const opened = new Client(own);
    await opened.next('session.created');
    return { client: opened, close: () => own.terminate() };
  };

  afterEach(async () => {
    socket.terminate();
    await bench.stop();
  });

  it.each<[string, object, object]>([
    [
      'a temperature',
      session({}, { temperature: 0.8 }),
      { code: 'unknown_parameter', param: 'session.temperature' },
    ],
    [
      'fields of the beta',
      session({}, { turn_detection: null }),
      { code: 'unknown_parameter', param: 'session.turn_detection' },
    ],
    [
      'a session without a type',
      { type: 'session.update', session: {} },
      { code: 'missing_required_parameter', param: 'session.type' },
    ],
    [
      'a speed above 1.5',
      session({ output: { speed: 1.6 } }),
      { code: 'invalid_value', param: 'session.audio.output.speed' },
    ],
    [
      'another rate',
      session({ output: { format: { type: 'audio/pcm', rate: 8_000 } } }),
      { code: 'invalid_value' },
    ],
    [
      'eagerness of silence',
      session({ input: { turn_detection: { type: 'server_vad', eagerness: 'low' } } }),
      { code: 'unknown_parameter', param: 'session.audio.input.turn_detection.eagerness' },
    ],
    ['an unknown event', { type: 'response.stop' }, { code: 'invalid_value', param: 'type' }],
    ['to cancel nothing', { type: 'response.cancel' }, { code: 'response_cancel_not_active' }],
    [
      'to truncate an unknown item',
      { type: 'conversation.item.truncate', item_id: 'item_1', content_index: 0, audio_end_ms: 1 },
      { code: 'item_truncate_invalid_item_id', param: 'item_id' },
    ],
    [
      'part of a millisecond',
      { type: 'conversation.item.truncate', item_id: 'item_1', content_index: 0, audio_end_ms: 1.5 },
      { code: 'invalid_type', param: 'audio_end_ms' },
    ],
    [
      'a result that nobody asked for',
      {
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: 'call_1', output: '' },
      },
      { code: 'invalid_tool_call_id' },
    ],
    [
      'an item after an unknown one',
      {
        type: 'conversation.item.create',
        previous_item_id: 'item_1',
        item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      },
      { param: 'previous_item_id' },
    ],
    [
      'words of the assistant as input',
      {
        type: 'conversation.item.create',
        item: { type: 'message', role: 'assistant', content: [{ type: 'input_text', text: 'Hi' }] },
      },
      { code: 'invalid_value', param: 'item.content[0].type' },
    ],
  ])('refuses %s and continues', async (_case, event, error) => {
    const refused = await client.refusal({ event_id: 'ours', ...event });
    expect(refused).toMatchObject({ type: 'invalid_request_error', event_id: 'ours', ...error });
    client.send(session({}));
    await client.next('session.updated');
  });

  it('refuses invalid JSON', async () => {
    expect(await client.refusal('{')).toMatchObject({ code: 'invalid_json', event_id: null });
  });

  it('refuses a second answer while one is active, and a truncation beyond the audio', async () => {
    client.send({ type: 'response.create' });
    expect(await client.refusal({ type: 'response.create', event_id: 'two' })).toMatchObject({
      code: 'conversation_already_has_active_response',
      event_id: 'two',
    });
    const { item } = (await client.next('response.output_item.done')) as unknown as { item: { id: string } };
    await client.next('response.done');
    const truncate = { type: 'conversation.item.truncate', item_id: item.id, content_index: 0 };
    expect(await client.refusal({ ...truncate, audio_end_ms: 60_000 })).toMatchObject({
      code: 'invalid_value',
      param: 'audio_end_ms',
    });
    client.send({ ...truncate, audio_end_ms: 2 });
    expect(await client.next('conversation.item.truncated')).toMatchObject({ audio_end_ms: 2 });
  });

  it('keeps its voice once it has spoken', async () => {
    client.send({ type: 'response.create' });
    await client.next('response.done');
    const refused = await client.refusal(session({ output: { voice: 'cedar' } }));
    expect(refused).toMatchObject({ code: 'cannot_update_voice' });
  });

  it('answers and interrupts by itself unless that is disabled', async () => {
    const append = (audio: Buffer) =>
      client.send({ type: 'input_audio_buffer.append', audio: audio.toString('base64') });
    const silence = Buffer.alloc(8_000, 0xff);
    client.send(session({ input: { format: pcmu }, output: { format: pcmu } }));
    append(Buffer.concat([speechBytes('Hello'), silence]));
    await client.next('input_audio_buffer.committed');
    await client.next('response.output_audio.delta');
    append(speechBytes('Stop now'));
    expect(await client.next('response.done')).toMatchObject({ response: { status: 'cancelled' } });
    // Transcription is off by default.
    expect(client.events.filter(({ type }) => type.includes('transcription'))).toEqual([]);
  });

  it('commits the audio so far when the client asks for it, in the middle of speech that goes on', async () => {
    const append = (audio: Buffer) =>
      client.send({ type: 'input_audio_buffer.append', audio: audio.toString('base64') });
    const commit = { type: 'input_audio_buffer.commit' };
    const transcribed = 'conversation.item.input_audio_transcription.completed';
    client.send(session({ input: { format: pcmu, transcription: { model: 'x' } } }));
    expect(await client.refusal(commit)).toMatchObject({ code: 'input_audio_buffer_commit_empty' });
    // Sounds that are no words keep it in speech.
    const noise = Buffer.alloc(8_000, 0x82);
    append(Buffer.concat([speechBytes('Hello'), noise]));
    client.send(commit);
    const { item_id: first } = await client.next('input_audio_buffer.speech_started');
    expect(await client.next('input_audio_buffer.committed')).toMatchObject({ item_id: first });
    expect(await client.next(transcribed)).toMatchObject({ item_id: first, transcript: 'Hello' });
    expect(await client.refusal(commit)).toMatchObject({ code: 'input_audio_buffer_commit_empty' });
    expect(client.events.filter(({ type }) => type === 'response.created')).toEqual([]);
    append(Buffer.concat([noise, speechBytes('Stop'), Buffer.alloc(8_000, 0xff)]));
    const { item_id: second } = await client.next('input_audio_buffer.speech_stopped');
    expect(second).not.toBe(first);
    expect(await client.next('input_audio_buffer.committed')).toMatchObject({ item_id: second });
    expect(await client.next(transcribed)).toMatchObject({ item_id: second, transcript: 'Stop' });
    expect(client.events.filter(({ type }) => type === 'input_audio_buffer.speech_started')).toEqual([]);
  });

  it('loses the transcripts of some turns as gpt-realtime+loses-words, in their order', async () => {
    const { client: other, close } = await openWith('gpt-realtime%2Bloses-words');
    const turn_detection = { type: 'server_vad', create_response: false };
    other.send(session({ input: { format: pcmu, transcription: { model: 'x' }, turn_detection } }));
    const turns = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const audio = turns.flatMap((words) => [speechBytes(words), Buffer.alloc(8_000, 0xff)]);
    other.send({ type: 'input_audio_buffer.append', audio: Buffer.concat(audio).toString('base64') });
    const kind = 'conversation.item.input_audio_transcription';
    for (const transcript of ['One', 'Three', 'Four', 'Six'])
      expect(await other.next(`${kind}.completed`)).toMatchObject({ transcript });
    // The fifth got none at all.
    expect(other.events.filter(({ type }) => type === `${kind}.failed`)).toHaveLength(1);
    close();
  });

  it('refuses responses by a rate limit as gpt-realtime+limited, until it has passed', async () => {
    const { client: other, close } = await openWith('gpt-realtime%2Blimited');
    const message = expect.stringMatching(/try again in [\d.]+s/);
    const failed = { status_details: { type: 'failed', error: { code: 'rate_limit_exceeded', message } } };
    for (let times = 0; ; times += 1) {
      other.send({ type: 'response.create' });
      const { response } = (await other.next('response.done')) as { response?: { status?: string } };
      if (times > 0 && response?.status === 'completed') return close();
      expect(response).toMatchObject(failed);
    }
  });

  it('fails in its first response as gpt-realtime+breaks-off, and in no other', async () => {
    const { client: other, close } = await openWith('gpt-realtime%2Bbreaks-off');
    other.send({ type: 'response.create' });
    expect(await other.next('response.done')).toMatchObject({
      response: { status: 'failed', status_details: { type: 'failed', error: { code: 'server_error' } } },
    });
    other.send({ type: 'response.create' });
    expect(await other.next('response.done')).toMatchObject({ response: { status: 'completed' } });
    close();
  });

  it('sends nothing more in the middle of its first response as gpt-realtime+stalls, until that is cancelled', async () => {
    const { client: other, close } = await openWith('gpt-realtime%2Bstalls');
    other.send({ type: 'response.create' });
    await other.next('response.output_audio.delta');
    other.send({ type: 'response.cancel' });
    expect(await other.next('response.done')).toMatchObject({ response: { status: 'cancelled' } });
    close();
  });

  it('hears and speaks PCM in tones, which may be converted on their way', async () => {
    const append = (samples: Int16Array) => {
      const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64');
      client.send({ type: 'input_audio_buffer.append', audio });
    };
    client.send(session({ input: { transcription: { model: 'x' } } }));
    const quieter = toneSpeech('What is your name?', 24_000).map((sample) => sample / 5);
    for (let at = 0; at < quieter.length; at += 500) append(quieter.subarray(at, at + 500));
    append(new Int16Array(24_000));
    const heard = await client.next('conversation.item.input_audio_transcription.completed');
    expect(heard['transcript']).toBe('What is your name?');
    const { delta } = await client.next('response.output_audio.delta');
    const audio = Buffer.from(String(delta), 'base64');
    const samples = new Int16Array(audio.buffer, audio.byteOffset, audio.length / 2);
    expect(recogniseTones(samples, 24_000)).toEqual([{ text: 'I ', complete: true }]);
  });

  it.each([
    ['a wrong key', { authorization: 'Bearer wrong' }, '?model=gpt-realtime', 401],
    ['no model', { authorization: `Bearer ${SANDBOX_API_KEY}` }, '', 400],
    [
      "the beta's header",
      { authorization: `Bearer ${SANDBOX_API_KEY}`, 'openai-beta': 'realtime=v1' },
      '?model=gpt-realtime',
      400,
    ],
  ])('opens no session with %s', async (_case, headers, query, status) => {
    const refused = new WebSocket(`${bench.sandbox.url.replace('http', 'ws')}/v1/realtime${query}`, {
      headers,
    });
    refused.on('error', () => undefined);
    const seen = await new Promise((resolve) =>
      refused.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode)),
    );
    refused.terminate();
    expect(seen).toBe(status);
  });
});

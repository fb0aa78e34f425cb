import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenAiRealtimeModelService } from '#src/modules/speech/openai-realtime/openai-realtime-model.service.js';
import type {
  RealtimeConnection,
  RealtimeEvent,
  RealtimeSettings,
} from '#src/modules/speech/realtime-model.js';
import { SANDBOX_API_KEY } from '../../tooling/sandbox/defaults.js';
import { Bench } from '../../tooling/sandbox/sandbox.fake.js';
import { SILENCE, speechBytes, SpeechDecoder } from '../../tooling/sandbox/speech/speech-code.js';
import { toneSpeech } from '../../tooling/sandbox/speech/tones.js';
import { until } from '../support/until.js';

const SETTINGS: RealtimeSettings = {
  model: 'gpt-realtime',
  format: 'pcmu-8000',
  voice: 'marin',
  speed: 1,
  language: 'en-US',
  reducesNoise: true,
  turnDetection: { by: 'silence', silenceMs: 600, threshold: 0.5 },
};
const SILENT_SECOND = Buffer.alloc(8_000, SILENCE);
const TOOL = {
  name: 'check_slot',
  description: 'Whether an appointment is free.',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
};

/** The adapter and the sandbox's endpoint, over its wire. */
describe('the OpenAI realtime model', () => {
  let bench: Bench;
  let events: RealtimeEvent[];
  let onEvent: (event: RealtimeEvent) => void;
  let connection: RealtimeConnection | null = null;

  beforeEach(async () => {
    bench = await Bench.start();
    events = [];
    onEvent = () => undefined;
  });

  afterEach(async () => {
    connection?.close();
    connection = null;
    await bench.stop();
  });

  const modelOf = (code: string, apiKey = SANDBOX_API_KEY, baseUrl = `${bench.sandbox.url}/v1`) =>
    new OpenAiRealtimeModelService(
      { baseUrl: 'http://127.0.0.1:9/none', apiKey: '', endpoints: { own: { baseUrl, apiKey } } },
      {
        findRealtimeModel: async (name) =>
          name === 'text'
            ? null
            : {
                code,
                endpoint: 'own',
                reasoningEffort: code.startsWith('gpt-realtime-2') ? 'low' : null,
                transcriptionModel: null,
              },
      },
    );

  const connect = async (changes: Partial<RealtimeSettings> = {}): Promise<RealtimeConnection> =>
    (connection = await modelOf('gpt-realtime').connect({ ...SETTINGS, ...changes }, (event) => {
      events.push(event);
      onEvent(event);
    }));

  const when = <K extends RealtimeEvent['kind']>(kind: K, count = 1) =>
    until(async () => {
      const found = events.filter(
        (event): event is Extract<RealtimeEvent, { kind: K }> => event.kind === kind,
      );
      return found.length >= count ? (found[count - 1] ?? null) : null;
    });

  const spoken = (response: string) => {
    const decoder = new SpeechDecoder();
    const audio = events.flatMap((event) =>
      event.kind === 'audio' && event.response === response ? [event.audio] : [],
    );
    const text = events.flatMap((event) =>
      event.kind === 'transcript' && event.response === response ? [event.text] : [],
    );
    return {
      heard: decoder.push(Buffer.concat(audio)),
      text: text.join(''),
      bytes: Buffer.concat(audio).length,
    };
  };

  it('hears the customer, and answers in words and audio of the same text', async () => {
    const session = await connect();
    session.updateInstructions('You are Ada.', []);
    session.appendAudio(Buffer.concat([speechBytes('Hello, who is this?'), SILENT_SECOND]));
    const { itemId } = await when('heard');
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['speech', 'words', 'heard']));
    expect(events.at(-1)).toEqual({ kind: 'heard', itemId, text: 'Hello, who is this?' });
    session.createResponse({ kind: 'answer', response: 'one', instruction: null, mayCallTools: true });
    expect(await when('done')).toMatchObject({ response: 'one', status: 'completed' });
    const { heard, text } = spoken('one');
    expect(text).not.toBe('');
    expect(heard).toBe(text);
  });

  it('speaks a given sentence, which its conversation does not get', async () => {
    const session = await connect();
    session.createResponse({ kind: 'sentence', response: 'greeting', text: 'Hello "there".' });
    await when('done');
    expect(spoken('greeting')).toMatchObject({ heard: 'Hello "there".', text: 'Hello "there".' });
    session.createResponse({ kind: 'answer', response: 'next', instruction: null, mayCallTools: true });
    const { usage } = await when('done', 2);
    // Nothing to read but the default instructions.
    expect(usage?.prompt).toBeLessThan(10);
  });

  it('calls a tool, and uses its result in the next response', async () => {
    const session = await connect();
    session.updateInstructions('You are Ada.', [TOOL]);
    session.addItem({ id: 'ours_1', kind: 'said', by: 'customer', text: 'Can you check a slot on Monday?' });
    session.createResponse({ kind: 'answer', response: 'one', instruction: null, mayCallTools: true });
    const { call, itemId } = await when('call');
    expect(call.name).toBe('check_slot');
    await when('done');
    session.addItem({ id: 'ours_2', kind: 'output', callId: call.id, text: '{"free":true}' }, itemId);
    session.createResponse({ kind: 'answer', response: 'two', instruction: null, mayCallTools: true });
    await when('done', 2);
    expect(spoken('two').text).not.toBe('');
    expect(events.filter(({ kind }) => kind === 'refused')).toEqual([]);
  });

  it('stops a response, and removes the unheard part', async () => {
    const session = await connect();
    session.updateInstructions('You are Ada.', []);
    session.addItem({ id: 'ours_1', kind: 'said', by: 'customer', text: 'Hello' });
    // Before the answer is complete.
    onEvent = ({ kind }) => {
      if (kind === 'audio') session.cancelResponse('one');
    };
    session.createResponse({ kind: 'answer', response: 'one', instruction: null, mayCallTools: true });
    const { itemId } = await when('audio');
    expect(await when('done')).toMatchObject({ status: 'cancelled' });
    onEvent = () => undefined;
    session.truncateItem(itemId, 3.7);
    session.cancelResponse('one');
    session.createResponse({
      kind: 'answer',
      response: 'two',
      instruction: 'Ask whether they are there.',
      mayCallTools: false,
    });
    expect(await when('done', 2)).toMatchObject({ status: 'completed' });
    expect(spoken('two').text).toBe('Are you still there?');
  });

  it('reports that another answer is active, and accepts sentences beside it', async () => {
    const session = await connect();
    for (const response of ['one', 'two'])
      session.createResponse({ kind: 'answer', response, instruction: null, mayCallTools: true });
    session.createResponse({ kind: 'sentence', response: 'filler', text: 'One moment.' });
    expect(await when('refused')).toEqual({ kind: 'refused', response: 'two', isBusy: true });
    await when('done', 2);
    expect(spoken('filler').text).toBe('One moment.');
  });

  it('speaks PCM of 24 kHz, and ends turns by meaning', async () => {
    const turnDetection = { by: 'meaning', eagerness: 'high' } as const;
    const session = await connect({ format: 'pcm16-24000', turnDetection, reducesNoise: false });
    session.setTranscriptionLanguage('de-DE');
    session.createResponse({ kind: 'sentence', response: 'one', text: 'Hello' });
    await when('done');
    expect(spoken('one').bytes).toBe(toneSpeech('Hello', 24_000).length * 2);
  });

  it('opens a session of the present generation, which reasons, and of the earlier one, which does not', async () => {
    for (const code of ['gpt-realtime-2.1', 'gpt-realtime-2.1-mini', 'gpt-realtime-mini']) {
      const session = await modelOf(code).connect(SETTINGS, (event) => events.push(event));
      session.createResponse({ kind: 'sentence', response: code, text: 'Hello' });
      await until(async () => events.some((event) => event.kind === 'done' && event.response === code));
      session.close();
    }
  });

  it.each(['gpt-live-transcribe', 'gpt-realtime-whisper'])(
    'transcribes with the default where the server refuses %s with turn detection',
    async (transcriptionModel) => {
      const models = {
        findRealtimeModel: async () => ({
          code: 'gpt-realtime',
          endpoint: null,
          reasoningEffort: null,
          transcriptionModel,
        }),
      };
      const endpoint = { baseUrl: `${bench.sandbox.url}/v1`, apiKey: SANDBOX_API_KEY, endpoints: {} };
      connection = await new OpenAiRealtimeModelService(endpoint, models).connect(SETTINGS, (event) =>
        events.push(event),
      );
      connection.setTranscriptionLanguage('de-DE');
      connection.appendAudio(Buffer.concat([speechBytes('Hello'), SILENT_SECOND]));
      expect(await when('heard')).toMatchObject({ text: 'Hello' });
    },
  );

  it('is an error when an earlier model is configured to reason', async () => {
    const models = {
      findRealtimeModel: async () => ({
        code: 'gpt-realtime',
        endpoint: null,
        reasoningEffort: 'low' as const,
        transcriptionModel: null,
      }),
    };
    const endpoint = { baseUrl: `${bench.sandbox.url}/v1`, apiKey: SANDBOX_API_KEY, endpoints: {} };
    const attempt = new OpenAiRealtimeModelService(endpoint, models).connect(SETTINGS, () => undefined);
    await expect(attempt).rejects.toMatchObject({
      message: 'The realtime model refused the session: unsupported_parameter',
    });
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['refuses the key', () => modelOf('gpt-realtime', 'wrong').connect(SETTINGS, () => undefined), '401'],
    ['is overloaded', () => modelOf('gpt-realtime+refuses').connect(SETTINGS, () => undefined), '503'],
    [
      'is not there',
      () => modelOf('gpt-realtime', '', 'http://127.0.0.1:9/v1').connect(SETTINGS, () => undefined),
      'cannot be reached',
    ],
    [
      'answers in text',
      () => modelOf('x').connect({ ...SETTINGS, model: 'text' }, () => undefined),
      'no realtime',
    ],
  ])('is an error when the endpoint %s', async (_case, attempt, message) => {
    await expect(attempt()).rejects.toMatchObject({
      name: 'RealtimeModelError',
      message: expect.stringContaining(message),
    });
  });

  it('reports that the endpoint closed the session', async () => {
    const session = await modelOf('gpt-realtime+breaks').connect(SETTINGS, (event) => events.push(event));
    for (const response of ['one', 'two']) {
      session.createResponse({ kind: 'answer', response, instruction: null, mayCallTools: true });
      if (response === 'one') await when('done');
    }
    await when('closed');
    session.close();
  });
});

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../../tooling/sandbox/sandbox.js';
import { recogniseTones, toneSpeech } from '../../../../tooling/sandbox/speech/tones.js';
import { encodeAudio, fromPcm } from '../audio/audio-format.js';
import { SpeechError } from '../speech-error.js';
import type { SynthesisRequest } from '../synthesizer.js';
import type { TranscriptionEvent } from '../transcriber.js';
import { OpenAiSynthesizerService } from './openai-synthesizer.service.js';
import { OpenAiTranscriberService } from './openai-transcriber.service.js';
import { SpeechHttpService } from './speech-http.service.js';

class ImpatientHttpService extends SpeechHttpService {
  protected override readonly responseTimeoutMs = 200;
}

/** For busy machines. */
class PatientTranscriberService extends OpenAiTranscriberService {
  protected override readonly limits = { extraMs: 60_000, mostMs: 60_000 };
}

let http: SpeechHttpService;
let sandbox: Sandbox;
let server: Server | null;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, accountSid: 'AC1', authToken: 'secret', apiKey: 'key' });
});
afterAll(() => sandbox.close());

beforeEach(() => {
  http = new SpeechHttpService();
  server = null;
});

afterEach(async () => {
  await http.onApplicationShutdown();
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const signal = new AbortController().signal;

describe('OpenAiSynthesizerService', () => {
  const request = (
    changes: Partial<SynthesisRequest> = {},
    baseUrl = `${sandbox.url}/v1`,
  ): SynthesisRequest => ({
    provider: { baseUrl, apiKey: 'key', model: 'gpt-4o-mini-tts' },
    text: 'Good morning.',
    voice: 'alloy',
    language: 'en-US',
    speed: 1.1,
    stability: 0.7,
    similarity: 0.5,
    ...changes,
  });
  const spoken = async (asked: SynthesisRequest, until = signal): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of new OpenAiSynthesizerService(http).speak(asked, until)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  it('speaks the text at 24 kHz', async () => {
    const audio = await spoken(request());
    expect(recogniseTones(fromPcm(audio), 24_000)).toEqual([{ text: 'Good morning.', complete: true }]);
  });

  it.each([
    [{ voice: 'Rachel' }, 400],
    [{ text: ' '.repeat(5_000) }, 400],
    [{ speed: 9 }, 400],
  ])('fails permanently when the endpoint refuses a part of the request', async (changes, status) => {
    await expect(spoken(request(changes))).rejects.toMatchObject({
      name: 'SpeechError',
      retryable: false,
      status,
    });
  });

  it.each([
    [401, false],
    [404, false],
    [429, true],
    [503, true],
  ])('reports whether the status %i may be temporary', async (status, retryable) => {
    const url = await serve((_, response) => void response.writeHead(status).end('Good morning.'));
    const failure = await spoken(request({}, url)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ retryable, status });
    expect(String((failure as Error).message)).not.toContain('Good morning');
  });

  it('fails when the endpoint is unavailable, does not respond, breaks off, sends no audio or redirects', async () => {
    await expect(spoken(request({}, 'http://127.0.0.1:1'))).rejects.toMatchObject({ retryable: true });
    const silent = await serve(() => undefined);
    // Only here: while much runs beside it, the sandbox takes longer to make the audio of a long text.
    await http.onApplicationShutdown();
    http = new ImpatientHttpService();
    await expect(spoken(request({}, silent))).rejects.toMatchObject({ retryable: true });
    server?.removeAllListeners('request');
    const answers: [RequestListener, boolean][] = [
      [(_, response) => void response.write(Buffer.alloc(10), () => response.destroy()), true],
      [
        (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
        false,
      ],
      [(_, response) => void response.writeHead(302, { location: sandbox.url }).end(), true],
    ];
    for (const [answer, retryable] of answers) {
      server?.removeAllListeners('request').on('request', answer);
      await expect(spoken(request({}, silent))).rejects.toMatchObject({ name: 'SpeechError', retryable });
    }
  });

  it('refuses a response that does not end', async () => {
    const url = await serve((_, response) => {
      const write = (): void => void (response.destroyed || response.write(Buffer.alloc(500_000), write));
      write();
    });
    await expect(spoken(request({}, url))).rejects.toMatchObject({ retryable: false });
  });

  it('ends without an error when it is aborted', async () => {
    const abort = new AbortController();
    const speech = new OpenAiSynthesizerService(http).speak(
      request({ text: 'long '.repeat(50) }),
      abort.signal,
    );
    expect((await speech.next()).done).toBe(false);
    abort.abort();
    for await (const chunk of speech) expect(chunk).toBeDefined();
  });
});

describe('OpenAiTranscriberService', () => {
  const open = (onEvent: (event: TranscriptionEvent) => void, changes = {}) =>
    new PatientTranscriberService(http).open(
      {
        provider: { baseUrl: `${sandbox.url}/v1`, apiKey: 'key', model: 'whisper-1', ...changes },
        format: 'pcmu-8000',
        language: 'en-US',
        endOfTurnSilenceMs: 600,
        endpointType: 'vad',
      },
      onEvent,
    );
  /** What comes of these utterances, one after the other. */
  const heard = (texts: string[], changes = {}, count = texts.length) =>
    new Promise<TranscriptionEvent[]>((resolve) => {
      const events: TranscriptionEvent[] = [];
      const stream = open((event) => {
        events.push(event);
        if (events.length === count) resolve(events);
      }, changes);
      for (const text of texts) {
        stream.write(Buffer.alloc(8_000, 0xff));
        stream.speechStarted();
        stream.write(encodeAudio(toneSpeech(text, 8_000), 'pcmu-8000'));
        stream.speechEnded();
      }
    });

  it('transcribes one utterance after the other, in their order', async () => {
    const texts = ['A long sentence that takes its time.', 'Short.'];
    expect(await heard(texts)).toEqual(texts.map((text) => ({ kind: 'final', text })));
  });

  it.each(['gpt-transcribe', 'gpt-4o-mini-transcribe'])(
    'sends %s the language in its form',
    async (model) => {
      expect(await heard(['Hello'], { model })).toEqual([{ kind: 'final', text: 'Hello' }]);
    },
  );

  it('sends audio from before the voice is detected, and no more than 300 ms of it', async () => {
    const lengths: number[] = [];
    const url = await serve((request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => (lengths.push(bytes), response.end('{"text":"yes"}')));
    });
    await new Promise<void>((resolve) => {
      const stream = open(() => resolve(), { baseUrl: url });
      for (let piece = 0; piece < 500; piece += 1) stream.write(Buffer.alloc(160, 0xff));
      stream.speechStarted();
      stream.speechEnded();
    });
    // 300 ms as 16-bit samples, and the form around it.
    expect(lengths[0]).toBeGreaterThan(4_800);
    expect(lengths[0]).toBeLessThan(6_500);
  });

  it.each([
    [20, 1, 1],
    [30, 1, 2],
    [130, 1, 6],
    [130, 9, 7],
    [130, 14, 9],
  ])(
    'transcribes %i s with a gap every %i s as one utterance of %i parts, cut in gaps',
    async (seconds, gapEvery, parts) => {
      const lastSamples: number[] = [];
      const url = await serve((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const form = Buffer.concat(chunks);
          const start = form.indexOf('RIFF');
          const length = form.readUInt32LE(start + 40);
          lastSamples.push(form.readInt16LE(start + 44 + length - 2));
          response.end(JSON.stringify({ text: String(length / 2) }));
        });
      });
      const events = await new Promise<Exclude<TranscriptionEvent, { kind: 'failed' }>[]>((resolve) => {
        const all: Exclude<TranscriptionEvent, { kind: 'failed' }>[] = [];
        const stream = open(
          (event) => {
            if (event.kind !== 'failed') all.push(event);
            if (event.kind === 'final') resolve(all);
          },
          { baseUrl: url },
        );
        stream.speechStarted();
        const voice = Int16Array.from({ length: 8_000 }, (_, at) => 4_000 * (-1) ** at);
        const gap = voice.map((sample, at) => (at < 7_200 ? sample : 0));
        for (let second = 1; second <= seconds; second += 1) {
          const hasGap = second % gapEvery === 0 || second === seconds;
          stream.write(encodeAudio(hasGap ? gap : voice, 'pcmu-8000'));
        }
        stream.speechEnded();
      });
      expect(events.map(({ kind }) => kind)).toEqual([...Array(parts - 1).fill('partial'), 'final']);
      const lengths = events.at(-1)?.text.split(' ').map(Number) ?? [];
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(seconds * 8_000);
      expect(events[0]?.text).toBe(String(lengths[0]));
      expect(lastSamples).toEqual(Array(parts).fill(0));
    },
  );

  it('reports an utterance without words too', async () => {
    const both = ['', 'Hello'].map((text) => ({ kind: 'final', text }));
    expect(await heard(['', 'Hello'], {}, 2)).toEqual(both);
  });

  it('retries once after a temporary failure', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(503).end();
      else response.end('{"text":" yes "}');
    });
    expect(await heard(['x'], { baseUrl: url })).toEqual([{ kind: 'final', text: 'yes' }]);
  });

  it.each([
    ['{"text":5}', false],
    ['yes', false],
    [`{"text":"${'a'.repeat(70_000)}"}`, false],
  ])('fails when the response is wrong or too long', async (answer, retryable) => {
    const url = await serve((_, response) => void response.end(answer));
    const [event] = await heard(['x'], { baseUrl: url });
    expect(event).toMatchObject({ kind: 'failed', error: expect.any(SpeechError) });
    expect(event).toMatchObject({ error: { retryable } });
  });

  it('fails permanently when the key or the model is wrong', async () => {
    for (const [changes, status] of [
      [{ apiKey: 'other' }, 401],
      [{ model: 'none' }, 404],
    ] as const)
      expect(await heard(['x'], changes)).toMatchObject([
        { kind: 'failed', error: { status, retryable: false } },
      ]);
  });

  it('reports nothing after it is closed', async () => {
    const events: TranscriptionEvent[] = [];
    const stream = open((event) => events.push(event));
    stream.speechStarted();
    stream.write(encodeAudio(toneSpeech('x', 8_000), 'pcmu-8000'));
    stream.speechEnded();
    stream.close();
    await heard(['y']);
    expect(events).toEqual([]);
  });
});

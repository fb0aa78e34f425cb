import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeAudio } from '../audio/audio-format.js';
import type { TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { OpenAiTranscriberService } from './openai-transcriber.service.js';
import { SpeechHttpService } from './speech-http.service.js';

class ImpatientTranscriberService extends OpenAiTranscriberService {
  protected override readonly limits = { extraMs: 100, mostMs: 6_000 };
}

/** As long as a part of an utterance. */
const VOICE = encodeAudio(
  Int16Array.from({ length: 25 * 8_000 }, (_, at) => 4_000 * (-1) ** at),
  'pcmu-8000',
);

/** A text, or the status of a refusal, for each request. */
let answers: (string | number | Promise<string>)[];
let requests: number;
let server: Server;
let http: SpeechHttpService;
let stream: TranscriptionStream;
let events: TranscriptionEvent[];
let notify: () => void;

async function open(Service = OpenAiTranscriberService): Promise<void> {
  events = [];
  requests = 0;
  notify = () => undefined;
  server = createServer((_, response) => {
    const answer = answers.shift() ?? '';
    requests += 1;
    notify();
    if (typeof answer === 'number') response.writeHead(answer).end();
    else void Promise.resolve(answer).then((text) => response.end(JSON.stringify({ text })));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  http = new SpeechHttpService();
  stream = new Service(http).open(
    {
      provider: { baseUrl, apiKey: 'key', model: 'whisper-1' },
      format: 'pcmu-8000',
      language: 'en-US',
      endOfTurnSilenceMs: 600,
      endpointType: 'vad',
    },
    (event) => {
      events.push(event);
      notify();
    },
  );
  stream.speechStarted();
}

beforeEach(() => open());
afterEach(close);

async function close(): Promise<void> {
  stream.close();
  server.closeAllConnections();
  server.close();
  await http.onApplicationShutdown();
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => (notify = resolve));
}

const count = (length: number): Promise<void> => until(() => events.length >= length);

it('ends an utterance before a part without words, and reports the part', async () => {
  answers = ['Yes, please.', '[Music]', '♪', 'Bye.'];
  for (const length of [1, 3, 4]) {
    stream.write(VOICE);
    await count(length);
  }
  stream.speechEnded();
  await count(5);
  expect(events).toEqual([
    { kind: 'partial', text: 'Yes, please.' },
    { kind: 'final', text: 'Yes, please.' },
    { kind: 'partial', text: '' },
    { kind: 'partial', text: '' },
    { kind: 'final', text: 'Bye.' },
  ]);
});

it.each([
  ['a part of it', () => stream.write(VOICE)],
  ['its end', () => stream.speechEnded()],
])('ends an utterance with the words before when %s is refused', async (_, goOn) => {
  answers = ['I would like a table', 'on Monday', 400];
  for (const length of [1, 2]) {
    stream.write(VOICE);
    await count(length);
  }
  goOn();
  await count(4);
  expect(events.slice(2)).toMatchObject([
    { kind: 'final', text: 'I would like a table on Monday' },
    { kind: 'failed', error: { status: 400 } },
  ]);
});

it('fails without a transcript when the first part is refused', async () => {
  answers = [400];
  stream.write(VOICE);
  await count(1);
  expect(events).toMatchObject([{ kind: 'failed', error: { status: 400 } }]);
});

it('fails when no answer comes, without another request', async () => {
  await close();
  await open(ImpatientTranscriberService);
  answers = [new Promise(() => undefined), 'Too late.'];
  stream.write(VOICE.subarray(0, 800));
  stream.speechEnded();
  await count(1);
  expect(events).toMatchObject([{ kind: 'failed', error: { message: expect.stringContaining('too late') } }]);
  expect(requests).toBeLessThanOrEqual(1);
});

describe('the transcript of a voice that goes on', () => {
  beforeEach(() => stream.write(VOICE.subarray(0, 16_000)));

  it.each([
    ['[Music]', ''],
    ['Wait a', 'Wait a'],
  ])('is sent when it is asked for, before that of all of it: %s', async (soFar, text) => {
    answers = [soFar, 'Wait a moment.'];
    stream.transcribeSoFar?.();
    await count(1);
    stream.speechEnded();
    await count(2);
    expect(events).toEqual([
      { kind: 'partial', text },
      { kind: 'final', text: 'Wait a moment.' },
    ]);
  });

  it('is not missed when it is refused', async () => {
    answers = [500, 'Wait a moment.'];
    stream.transcribeSoFar?.();
    await until(() => requests === 1);
    stream.speechEnded();
    await count(1);
    expect(events).toEqual([{ kind: 'final', text: 'Wait a moment.' }]);
    expect(requests).toBe(2);
  });

  it('is not sent when the voice has ended meanwhile', async () => {
    let answer: (text: string) => void = () => undefined;
    answers = [new Promise((resolve) => (answer = resolve)), 'Wait a moment.', 'Bye.'];
    stream.transcribeSoFar?.();
    await until(() => requests === 1);
    stream.speechEnded();
    await count(1);
    answer('Wait a');
    stream.speechStarted();
    stream.speechEnded();
    await count(2);
    expect(events.map(({ kind }) => kind)).toEqual(['final', 'final']);
  });
});

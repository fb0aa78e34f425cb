import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { encodeAudio } from '../audio/audio-format.js';
import type { TranscriptionEvent } from '../transcriber.js';
import { OpenAiTranscriberService } from './openai-transcriber.service.js';
import { SpeechHttpService } from './speech-http.service.js';

/** As long as a part of an utterance. */
const VOICE = encodeAudio(
  Int16Array.from({ length: 25 * 8_000 }, (_, at) => 4_000 * (-1) ** at),
  'pcmu-8000',
);

it('ends an utterance before a part without words, and reports the part', async () => {
  const texts = ['Yes, please.', '[Music]', '♪', 'Bye.'];
  const server = createServer((_, response) => void response.end(JSON.stringify({ text: texts.shift() })));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = new SpeechHttpService();
  const events: TranscriptionEvent[] = [];
  let notify = (): void => undefined;
  const stream = new OpenAiTranscriberService(http).open(
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
  const count = async (length: number): Promise<void> => {
    while (events.length < length) await new Promise<void>((resolve) => (notify = resolve));
  };
  stream.speechStarted();
  for (const length of [1, 3, 4]) {
    stream.write(VOICE);
    await count(length);
  }
  stream.speechEnded();
  await count(5);
  stream.close();
  server.close();
  await http.onApplicationShutdown();
  expect(events).toEqual([
    { kind: 'partial', text: 'Yes, please.' },
    { kind: 'final', text: 'Yes, please.' },
    { kind: 'partial', text: '' },
    { kind: 'partial', text: '' },
    { kind: 'final', text: 'Bye.' },
  ]);
});

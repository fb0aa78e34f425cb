import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Transcriber, TranscriptionStream } from '../transcriber.js';
import { DeepgramServer } from './deepgram.fake.js';
import { DeepgramTranscriberService } from './deepgram-transcriber.service.js';
import { FluxTranscriberService } from './flux-transcriber.service.js';

let server: DeepgramServer;
let stream: TranscriptionStream;

beforeEach(async () => {
  server = new DeepgramServer();
  await once(server.sockets, 'listening');
});
afterEach(() => {
  stream.close();
  server.stop();
});

const turn = (event: string, transcript: string): void =>
  server.client?.send(JSON.stringify({ type: 'TurnInfo', event, transcript }));

describe.each<[string, Transcriber, () => void]>([
  [
    'Deepgram',
    new DeepgramTranscriberService(),
    () => server.result('Hello.', { is_final: true, from_finalize: true }),
  ],
  [
    'Flux',
    new FluxTranscriberService(),
    () => {
      turn('StartOfTurn', 'Hello.');
      turn('EndOfTurn', 'Hello.');
    },
  ],
])('noise that ends for %s', (_, service, says) => {
  const finals: string[] = [];
  let hasWords: Promise<void>;

  beforeEach(async () => {
    finals.length = 0;
    hasWords = new Promise((resolve) => {
      const provider = { baseUrl: server.base, apiKey: 'key', model: 'any' };
      stream = service.open(
        { provider, format: 'pcmu-8000', language: 'en-US', endOfTurnSilenceMs: 600, endpointType: 'vad' },
        (event) => {
          if (event.kind === 'final') finals.push(event.text);
          if (event.kind === 'final' && event.text !== '') resolve();
        },
      );
    });
    await once(server.sockets, 'connection');
    stream.speechStarted();
    stream.speechEnded(true);
  });

  it('has no final transcript, which would end newer speech', async () => {
    stream.speechStarted();
    stream.speechEnded();
    says();
    await hasWords;
    expect(finals).toEqual(['Hello.']);
  });

  it('has one with words that are found later', async () => {
    says();
    await hasWords;
    expect(finals).toEqual(['Hello.']);
  });
});

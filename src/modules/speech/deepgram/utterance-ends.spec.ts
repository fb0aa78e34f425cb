import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Transcriber, TranscriptionEvent, TranscriptionStream } from '../transcriber.js';
import { DeepgramServer } from './deepgram.fake.js';
import { DeepgramTranscriberService } from './deepgram-transcriber.service.js';
import { FluxTranscriberService } from './flux-transcriber.service.js';

const FRAME = 160;
/** Frames of 20 ms in a second. */
const SECOND = 50;
const FINAL = { is_final: true };
const FINALIZED = { is_final: true, from_finalize: true };

let server: DeepgramServer;
let stream: TranscriptionStream;
let events: TranscriptionEvent[];
let told: () => void;

beforeEach(async () => {
  server = new DeepgramServer();
  events = [];
  told = () => undefined;
  await once(server.sockets, 'listening');
});
afterEach(() => {
  stream.close();
  server.stop();
});

async function open(
  service: Transcriber = new DeepgramTranscriberService(),
  format = 'pcmu-8000' as const,
): Promise<void> {
  const provider = { baseUrl: server.base, apiKey: 'key', model: 'any' };
  const options = {
    provider,
    format,
    language: 'en-US',
    endOfTurnSilenceMs: 600,
    endpointType: 'vad' as const,
  };
  stream = service.open(options, (event) => {
    events.push(event);
    told();
  });
  await once(server.sockets, 'connection');
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => (told = resolve));
}

const finals = (): string[] => events.flatMap((event) => (event.kind === 'final' ? [event.text] : []));
const partials = (): number => events.filter(({ kind }) => kind === 'partial').length;

/** What the server sends has arrived, in order. */
async function arrived(): Promise<void> {
  const { client } = server;
  if (!client) return;
  const pong = once(client, 'pong');
  client.ping();
  await pong;
}

/** Numbers the frames, so that they can be told apart. */
function speak(frames: number, first = 0): void {
  for (let index = 0; index < frames; index += 1) stream.write(Buffer.alloc(FRAME, first + index));
}

const framesOf = (audio: readonly Buffer[]): number[] => audio.map((frame) => frame[0] ?? -1);

describe('an utterance of Deepgram without an end', () => {
  beforeEach(async () => {
    await open();
    stream.speechStarted();
    server.result('I would like to book', FINAL);
    server.result('a table for two.', FINAL);
    await until(() => partials() === 2);
    stream.speechEnded();
    await server.until(() => server.texts.includes('{"type":"Finalize"}'));
  });

  const WORDS = 'I would like to book a table for two.';

  it('ends with the final words when Finalize has no answer', async () => {
    await until(() => finals().length === 1);
    expect(finals()).toEqual([WORDS]);
  });

  it.each([
    ['late and empty', ['']],
    ['late, twice and empty', ['', '']],
  ])('ends once when it is answered %s', async (_, answers) => {
    await until(() => finals().length === 1);
    for (const text of answers) server.result(text, FINALIZED);
    await arrived();
    expect(finals()).toEqual([WORDS]);
  });

  it('ends at once with the answer, which may come twice', async () => {
    server.result('Tonight.', FINALIZED);
    server.result('', FINALIZED);
    await until(() => finals().length > 0);
    await arrived();
    expect(finals()).toEqual([`${WORDS} Tonight.`]);
  });

  it('reports words of a late answer as another utterance', async () => {
    await until(() => finals().length === 1);
    server.result('Tonight.', FINALIZED);
    await until(() => finals().length === 2);
    expect(finals()).toEqual([WORDS, 'Tonight.']);
  });

  it('ends with the final words when the socket breaks meanwhile', async () => {
    server.client?.terminate();
    await until(() => finals().length === 1);
    expect(events.some(({ kind }) => kind === 'failed')).toBe(false);
    expect(finals()).toEqual([WORDS]);
  });

  it('does not end newer speech with a late answer, whose words are not lost', async () => {
    await until(() => finals().length === 1);
    stream.speechStarted();
    server.result('Tonight,', FINALIZED);
    await until(() => partials() === 3);
    server.result('at eight.', FINAL);
    stream.speechEnded();
    await until(() => finals().length === 2);
    expect(finals()).toEqual([WORDS, 'Tonight, at eight.']);
  });

  it('ends before the next one, however soon that ends', async () => {
    stream.speechStarted();
    stream.speechEnded();
    expect(finals()).toEqual([WORDS]);
    server.result('', FINALIZED);
    await until(() => finals().length === 2);
    expect(finals()).toEqual([WORDS, '']);
  });
});

describe('an utterance of Deepgram', () => {
  it('ends with interim words, which are not repeated when they are final', async () => {
    await open();
    stream.speechStarted();
    server.result('A table for');
    await until(() => partials() === 1);
    stream.speechEnded();
    await until(() => finals().length === 1);
    server.result('A table for two.', FINAL);
    await until(() => finals().length === 2);
    expect(finals()).toEqual(['A table for', 'two.']);
  });

  it.each([
    ['A table on Tuesday', 'A table on Thursday.', 'Thursday.'],
    ['我想', '我想订一张桌子。', '订一张桌子。'],
  ])('has words that its final text changes or adds: %j, %j', async (interim, final, rest) => {
    await open();
    stream.speechStarted();
    server.result(interim);
    await until(() => partials() === 1);
    stream.speechEnded();
    await until(() => finals().length === 1);
    server.result(final, FINALIZED);
    await until(() => finals().length === 2);
    expect(finals()).toEqual([interim, rest]);
  });

  it('without words ends empty, without an answer too', async () => {
    await open();
    stream.speechStarted();
    stream.speechEnded();
    await until(() => finals().length === 1);
    expect(finals()).toEqual(['']);
  });

  it('that the voice detection does not hear ends after a pause', async () => {
    await open();
    server.result('Yes please.', FINAL);
    await until(() => finals().length === 1);
    expect(finals()).toEqual(['Yes please.']);
  });
});

describe('a turn of Flux', () => {
  const turn = (event: string, transcript: string, end?: number): void => {
    const window = end === undefined ? {} : { audio_window_end: end };
    server.client?.send(JSON.stringify({ type: 'TurnInfo', event, transcript, ...window }));
  };

  beforeEach(async () => {
    await open(new FluxTranscriberService());
    speak(SECOND);
    await server.until(() => server.audio.length === SECOND);
    stream.speechStarted();
    turn('StartOfTurn', 'I would', 0.5);
    turn('Update', 'I would like that.', 0.6);
    await until(() => partials() === 2);
  });

  it.each(['never', 'late'])('whose end comes %s ends with the known words, once', async (when) => {
    stream.speechEnded();
    await until(() => finals().length === 1);
    if (when === 'late') turn('EndOfTurn', 'I would like that.', 1);
    await arrived();
    expect(finals()).toEqual(['I would like that.']);
  });

  it('whose end has more words reports them', async () => {
    stream.speechEnded();
    await until(() => finals().length === 1);
    turn('EndOfTurn', 'I would like that. Thanks.', 1);
    await until(() => finals().length === 2);
    expect(finals()).toEqual(['I would like that.', 'Thanks.']);
  });

  it('continues on another socket', async () => {
    server.client?.terminate();
    await server.until(() => server.connections === 2 && server.audio.length === 20);
    expect(framesOf(server.audio)[0]).toBe(30);
    turn('StartOfTurn', 'On Monday.', 0.4);
    await until(() => partials() === 3);
    stream.speechEnded();
    await server.until(() => server.texts.includes('{"type":"ForceEndTurn"}'));
    turn('EndOfTurn', 'On Monday.', 0.6);
    await until(() => finals().length === 1);
    expect(finals()).toEqual(['I would like that. On Monday.']);
  });

  it('that a sound follows has one final transcript, and the sound one without words', async () => {
    stream.speechEnded();
    stream.speechStarted();
    turn('EndOfTurn', 'I would like that.', 1);
    await until(() => finals().length === 1);
    stream.speechEnded();
    await until(() => finals().length === 2);
    expect(finals()).toEqual(['I would like that.', '']);
  });
});

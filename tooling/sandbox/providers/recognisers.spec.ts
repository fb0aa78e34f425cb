import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { startSandbox, type Sandbox } from '../sandbox.js';
import { deepgramListenSocket } from './deepgram-listen-socket.js';
import { ProviderDesk } from './provider-speech.js';
import { encodeSpeech, FRAME_BYTES, SILENCE } from '../speech/speech-code.js';

/** Interim results every 100 ms of audio; a character is 4 ms. */
const SPEED = 10;
const MS_PER_CHARACTER = 4;
const BYTES_PER_SECOND = 8_000;

interface Result {
  type: string;
  event?: string;
  transcript?: string;
  start?: number;
  duration?: number;
  is_final?: boolean;
  speech_final?: boolean;
  from_finalize?: boolean;
  channel?: { alternatives: { transcript: string }[] };
}

let sandbox: Sandbox;
const listeners: Listener[] = [];
beforeAll(async () => {
  const secrets = { accountSid: 'AC1', authToken: 'secret', apiKey: 'key' };
  sandbox = await startSandbox({ port: 0, ...secrets, speed: SPEED });
});
afterAll(async () => {
  for (const listener of listeners) listener.end();
  await sandbox.close();
});

afterEach(() => {
  jest.useRealTimers();
});

const framesOf = (text: string, msPerCharacter = MS_PER_CHARACTER): Buffer[] =>
  encodeSpeech(text, msPerCharacter);
const silenceOf = (ms: number): Buffer[] =>
  Array.from({ length: ms / 20 }, () => Buffer.alloc(FRAME_BYTES, SILENCE));
const textOf = ({ transcript, channel }: Result): string =>
  transcript ?? channel?.alternatives[0]?.transcript ?? '';

/** A client of a recogniser, with the messages that it got. */
class Listener {
  readonly messages: Result[] = [];
  /** The code of the close; null: it is open. */
  closed: number | null = null;
  private notify: () => void = () => undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)) as Result);
      this.notify();
    });
    socket.on('close', (code) => {
      this.closed = code;
      this.notify();
    });
  }

  static async open(path: string): Promise<Listener> {
    const headers = { authorization: 'Token key' };
    const url = `${sandbox.url.replace('http', 'ws')}${path}&encoding=mulaw&sample_rate=8000`;
    const socket = new WebSocket(url, { headers });
    const listener = new Listener(socket);
    listeners.push(listener);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return listener;
  }

  send(...messages: (Buffer | string)[]): void {
    for (const message of messages)
      this.socket.send(typeof message === 'string' ? JSON.stringify({ type: message }) : message);
  }

  end(): void {
    this.socket.terminate();
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.notify = resolve));
  }

  /** The texts of final results with words. */
  get finals(): string[] {
    return this.messages.filter(isFinal).map(textOf).filter(Boolean);
  }

  get interims(): string[] {
    return this.messages
      .filter((one) => !isFinal(one))
      .map(textOf)
      .filter(Boolean);
  }
}

const isFinal = ({ is_final, event }: Result): boolean => is_final ?? event === 'EndOfTurn';

const nova = (suffix = '', query = '&endpointing=100'): Promise<Listener> =>
  Listener.open(`/v1/listen?model=nova-3${encodeURIComponent(suffix)}&interim_results=true${query}`);
const flux = (suffix = '', query = ''): Promise<Listener> =>
  Listener.open(`/v2/listen?model=flux-general-en${encodeURIComponent(suffix)}${query}`);

const SENTENCE = 'I would like to have an appointment on Thursday afternoon, please.';
const PAUSE_MS = 700;

describe('Nova of the sandbox', () => {
  it('has interim results, the last words of which may be wrong, and a right final one after the silence', async () => {
    const listener = await nova();
    listener.send(...framesOf(SENTENCE), ...silenceOf(PAUSE_MS));
    await listener.until(() => listener.finals.length === 1);
    const wanted = SENTENCE.split(' ');
    for (const interim of listener.interims) {
      const words = interim.split(' ');
      expect(words.slice(0, -1)).toEqual(wanted.slice(0, words.length - 1));
    }
    expect(listener.interims.some((interim) => !SENTENCE.startsWith(interim))).toBe(true);
    expect(listener.messages.find(isFinal)).toMatchObject({
      start: 0,
      channel: { alternatives: [{ transcript: SENTENCE }] },
      speech_final: true,
      from_finalize: false,
      metadata: { model_info: { name: 'nova-3' } },
    });
  });

  it('answers Finalize where words are left, and counts the seconds of each part', async () => {
    const listener = await nova();
    listener.send('Finalize', ...framesOf('Yes, '), 'Finalize', 'Finalize', ...framesOf('two.'), 'Finalize');
    await listener.until(() => listener.finals.length === 2);
    const parts = listener.messages.filter(isFinal);
    expect(parts.map(({ from_finalize, speech_final }) => [from_finalize, speech_final])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(listener.finals).toEqual(['Yes,', 'two.']);
    const [first, second] = parts;
    expect(second?.start).toBe(Number(first?.start) + Number(first?.duration));
  });

  it('makes parts of long speech final, after which the rest is understood by itself', async () => {
    const listener = await nova();
    const frames = framesOf(SENTENCE, 20);
    listener.send(...frames);
    await listener.until(() => listener.finals.length > 0);
    const part = listener.messages.find(isFinal);
    const heard = (Number(part?.start) + Number(part?.duration)) * BYTES_PER_SECOND;
    const other = await nova();
    other.send(...frames.slice(Math.round(heard / FRAME_BYTES)), 'Finalize');
    await other.until(() => other.finals.join(' ').endsWith('please.'));
    expect([listener.finals[0], ...other.finals].join(' ')).toBe(SENTENCE);
  });

  it('makes no sound of the word after a pause a part of the words before it', async () => {
    const [before, after] = ['On Monday at nine, please.', 'But when?'];
    for (const pauseMs of [500, 600, 700, 800, 900]) {
      const speech = [...framesOf(before, 16), ...silenceOf(pauseMs), ...framesOf(after, 60)];
      const listener = await nova('', '&endpointing=false');
      listener.send(...speech);
      await listener.until(() => listener.messages.length >= 12);
      const ends = listener.messages
        .filter(isFinal)
        .map((part) => Number(part.start) + Number(part.duration));
      for (const [index, end] of ends.entries()) {
        const other = await nova('', '&endpointing=false');
        other.send(...speech.slice(Math.round((end * BYTES_PER_SECOND) / FRAME_BYTES)), 'CloseStream');
        await other.until(() => other.closed !== null);
        const parts = listener.messages
          .filter(isFinal)
          .slice(0, index + 1)
          .map(textOf);
        expect([...parts, ...other.finals].filter(Boolean).join(' ')).toBe(`${before} ${after}`);
      }
    }
  });

  it('goes on reporting while nobody speaks', async () => {
    const listener = await nova();
    listener.send(...silenceOf(1_000));
    await listener.until(() => listener.messages.length >= 8);
    expect(listener.messages.map(textOf).join('')).toBe('');
  });

  it('reports voice and the end of an utterance where they are asked for', async () => {
    const listener = await nova('', '&vad_events=true&utterance_end_ms=1000&endpointing=false');
    listener.send(...framesOf('Yes.'), ...silenceOf(1_100));
    await listener.until(() => listener.messages.some(({ type }) => type === 'UtteranceEnd'));
    const events = listener.messages.filter(({ type }) => type !== 'Results');
    expect(events).toEqual([
      { type: 'SpeechStarted', channel: [0], timestamp: 0 },
      { type: 'UtteranceEnd', channel: [0, 1], last_word_end: expect.closeTo(0.016) },
    ]);
    expect(listener.messages.some(({ speech_final }) => speech_final)).toBe(false);
  });

  it('ends with the rest of the words and a summary', async () => {
    const listener = await nova();
    listener.send(...framesOf('Yes.'), 'KeepAlive', 'CloseStream');
    await listener.until(() => listener.closed !== null);
    expect(listener.closed).toBe(1000);
    expect(listener.messages.slice(-2)).toMatchObject([
      { is_final: true, channel: { alternatives: [{ transcript: 'Yes.' }] } },
      { type: 'Metadata', duration: 0.02, channels: 1 },
    ]);
  });
});

it('closes a socket of Nova after 10 s without audio and without KeepAlive', () => {
  jest.useFakeTimers();
  const closes: unknown[] = [];
  const close = (...reason: unknown[]): unknown => closes.push(reason);
  const socket = Object.assign(new EventEmitter(), { close });
  const url = new URL('http://sandbox/v1/listen?model=nova-3&encoding=mulaw&sample_rate=8000');
  const route = deepgramListenSocket(new ProviderDesk('key', 1));
  route.open(socket as unknown as WebSocket, {} as IncomingMessage, url);
  for (const [data, isBinary] of [
    ['{"type":"KeepAlive"}', false],
    [Buffer.alloc(FRAME_BYTES, SILENCE), true],
  ]) {
    jest.advanceTimersByTime(9_999);
    socket.emit('message', data, isBinary);
  }
  jest.advanceTimersByTime(9_999);
  expect(closes).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(closes).toEqual([[1011, 'NET-0001']]);
});

describe.each([
  ['Nova', nova, 'Finalize'],
  ['Flux', flux, 'ForceEndTurn'],
])('a flawed %s of the sandbox', (_, open, ends) => {
  const utterance = [...framesOf('On Monday at nine, please.'), ...silenceOf(PAUSE_MS)];

  it('breaks within the second utterance of a socket, and understands both when they are sent again', async () => {
    const listener = await open('+breaks');
    listener.send(...utterance, ends);
    await listener.until(() => listener.finals.length === 1);
    listener.send(...utterance);
    await listener.until(() => listener.closed !== null);
    const other = await open('+breaks');
    other.send(...utterance, ...utterance, ends);
    await other.until(() => other.finals.length === 2);
    expect(other.finals).toEqual([...listener.finals, ...listener.finals]);
  });

  it('says nothing from its second utterance on', async () => {
    const listener = await open('+stalls');
    listener.send(...utterance, ends);
    await listener.until(() => listener.finals.length === 1);
    const other = await open();
    for (const one of [listener, other]) one.send(...utterance, ends);
    await other.until(() => other.finals.length === 1);
    const { length } = listener.messages;
    for (const one of [listener, other]) one.send(...utterance, ends);
    await other.until(() => other.finals.length === 2);
    expect(listener.messages).toHaveLength(length);
    listener.send('CloseStream');
    await listener.until(() => listener.closed !== null);
  });

  it('never has final results', async () => {
    const listener = await open('+no-finals');
    listener.send(...utterance, ends, ...utterance);
    const both = 'On Monday at nine, please. On Monday at nine,';
    await listener.until(() => listener.interims.some((text) => text.startsWith(both)));
    expect(listener.finals).toEqual([]);
  });

  it('takes longer where it is late', async () => {
    const since = performance.now();
    const listener = await open('+late');
    listener.send(...utterance, ends);
    await listener.until(() => listener.finals.length === 1);
    expect(performance.now() - since).toBeGreaterThanOrEqual(1_500 / SPEED);
  });
});

describe('Flux of the sandbox', () => {
  it('goes on reporting while nobody speaks, and mishears only what may change', async () => {
    const listener = await flux('', '&eager_eot_threshold=0.5');
    listener.send(...silenceOf(100), ...framesOf(SENTENCE), ...silenceOf(PAUSE_MS));
    await listener.until(() => listener.finals.length === 1);
    const turns = listener.messages.filter(({ type }) => type === 'TurnInfo');
    expect(turns[0]).toMatchObject({ event: 'Update', transcript: '' });
    expect(listener.interims.some((interim) => !SENTENCE.startsWith(interim))).toBe(true);
    for (const event of ['EagerEndOfTurn', 'EndOfTurn'])
      expect(turns.find((one) => one.event === event)).toMatchObject({ transcript: SENTENCE });
  });
});

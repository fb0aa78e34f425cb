import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { WebSocket } from 'ws';
import { addToLogContext, currentLogContext } from '#src/common/logging/log-context.js';
import { partialFake } from '#src/common/partial.fake.js';
import type { AudioLine, AudioLineEvent } from '#src/modules/media/audio-line.js';
import type { CarrierCallHandler } from '../carrier-reports.js';
import { CarrierSocketServer, refusalOf } from './carrier-socket-server.fake.js';

interface Conversation {
  token: string;
  line: AudioLine;
  documentAt: number;
}

const START = {
  event: 'start',
  streamSid: 'MZ1',
  start: { streamSid: 'MZ1', mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 } },
};
let server: CarrierSocketServer;
let expected: boolean;
let count: () => number;
let conversations: Conversation[];
let events: { event: AudioLineEvent; callId: number | undefined }[];
let wake: () => void;

Logger.overrideLogger(false);

beforeEach(async () => {
  [expected, conversations, events] = [true, [], []];
  wake = () => undefined;
  const converseOverAudio = (token: string, line: AudioLine, documentAt: number) =>
    new Promise<void>((resolve) => {
      addToLogContext({ callId: conversations.push({ token, line, documentAt }) });
      line.onEvent((event) => {
        events.push({ event, callId: currentLogContext().callId });
        if (event.kind === 'closed') resolve();
        wake();
      });
      wake();
    });
  const handler = partialFake<CarrierCallHandler>({
    runAudioConversation: converseOverAudio,
    expectsSocket: async () => expected,
  });
  server = new CarrierSocketServer(handler, { registerCallCount: (held) => void (count = held) });
  await server.start();
});

afterEach(() => server.stop());

async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise<void>((resolve) => (wake = resolve));
}

/** A stream whose conversation runs. */
async function stream(path = '/telephony/stream/tok'): Promise<WebSocket> {
  const [socket, before] = [server.dial(path), conversations.length];
  await once(socket, 'open');
  socket.send(JSON.stringify(START));
  await until(() => conversations.length > before);
  return socket;
}

const digit = (key: string) => JSON.stringify({ event: 'dtmf', dtmf: { digit: key } });
const ofKind = (kind: string) => events.filter(({ event }) => event.kind === kind);

describe("the carrier's media streams", () => {
  it('become audio lines, each with the id of its call for the log', async () => {
    const first = await stream('/telephony/stream/a');
    const second = await stream('/telephony/stream/b/1700000000000');
    expect(conversations.map(({ token, documentAt }) => [token, documentAt])).toEqual([
      ['a', 0],
      ['b', 1_700_000_000_000],
    ]);
    expect(count()).toBe(2);
    second.send(digit('2'));
    await until(() => ofKind('digit').length === 1);
    first.send(digit('1'));
    await until(() => ofKind('digit').length === 2);
    expect(ofKind('digit').map(({ callId }) => callId)).toEqual([2, 1]);
    first.close();
    await until(() => ofKind('closed').length === 1);
    expect(ofKind('closed')[0]?.callId).toBe(1);
  });

  it.each([
    ['an unsigned stream', '/telephony/stream/tok', 'AAAA', 403],
    ['a query, which the carrier would have dropped', '/telephony/stream/tok?a=1', undefined, 404],
    ['a token that no path may have', '/telephony/stream/a%20b', undefined, 404],
  ])('refuses %s', async (_case, path, signature, status) => {
    expect(await refusalOf(server.dial(path, signature))).toBe(status);
  });

  it('refuses an unknown token', async () => {
    expected = false;
    expect(await refusalOf(server.dial('/telephony/stream/tok'))).toBe(404);
  });

  it('begins no conversation before the start frame', async () => {
    const socket = server.dial('/telephony/stream/tok');
    await once(socket, 'open');
    socket.ping();
    await once(socket, 'pong');
    expect(conversations).toEqual([]);
    socket.close();
    await once(socket, 'close');
    while (count() > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(conversations).toEqual([]);
  });

  it('refuses a second stream of the same document, and replaces the line by that of the next', async () => {
    const first = await stream();
    const second = server.dial('/telephony/stream/tok');
    expect((await once(second, 'close'))[0]).toBe(1008);
    expect(first.readyState).toBe(WebSocket.OPEN);
    const closed = once(first, 'close');
    await stream('/telephony/stream/tok/1700000000000');
    await closed;
    expect(ofKind('closed').map(({ callId }) => callId)).toEqual([1]);
    expect(conversations.map(({ documentAt }) => documentAt)).toEqual([0, 1_700_000_000_000]);
  });

  it('disconnects after a frame that is larger than any of the carrier', async () => {
    const socket = await stream();
    const closed = once(socket, 'close');
    socket.send('x'.repeat(70_000));
    expect((await closed)[0]).toBe(1009);
    expect(ofKind('closed')).toHaveLength(1);
  });

  it('end when the socket closes', async () => {
    const socket = await stream();
    const closed = once(socket, 'close');
    conversations[0]?.line.end('goodbye');
    expect((await closed)[0]).toBe(1000);
    await until(() => ofKind('closed').length === 1);
  });

  it('report the shutdown when the service stops', async () => {
    const socket = await stream();
    const closed = once(socket, 'close');
    await server.sockets.onModuleDestroy();
    expect((await closed)[0]).toBe(1001);
    expect(events.map(({ event }) => event)).toEqual([{ kind: 'closed' }]);
  });
});

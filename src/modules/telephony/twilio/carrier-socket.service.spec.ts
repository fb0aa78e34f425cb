import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { addToLogContext, currentLogContext } from '#src/common/logging/log-context.js';
import type { CallSession, CallSessionEvent } from '../call-session.js';
import { CarrierSocketServer, refusalOf } from './carrier-socket-server.fake.js';

/** The side that owns calls: takes every session, ends a conversation when its line is closed. */
class Calls {
  expected = true;
  events: CallSessionEvent[] = [];
  /** Which call's id a line would carry that is logged while an event is handled. */
  readonly loggedCallIds: (number | undefined)[] = [];
  readonly sessions: CallSession[] = [];
  private waiting: (() => void)[] = [];

  /** What a test holds up: admission, and the first look at a line. */
  admitting: Promise<void> = Promise.resolve();
  listening: Promise<void> = Promise.resolve();
  onAsked: () => void = () => undefined;

  async expectsSocket(): Promise<boolean> {
    this.onAsked();
    await this.admitting;
    return this.expected;
  }

  async runConversation(_token: string, session: CallSession): Promise<void> {
    addToLogContext({ callId: this.sessions.push(session) });
    await this.listening;
    return new Promise((resolve) => {
      session.onEvent((event) => {
        this.events.push(event);
        this.loggedCallIds.push(currentLogContext().callId);
        for (const wake of this.waiting.splice(0)) wake();
        if (event.kind === 'closed') resolve();
      });
    });
  }

  async seen(count: number): Promise<CallSessionEvent[]> {
    while (this.events.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.events;
  }

  planAnsweredCall = () => Promise.reject(new Error('not requested here'));
  runAudioConversation = this.planAnsweredCall;
  planIncomingCall = this.planAnsweredCall;
  applyReport = this.planAnsweredCall;
  planAfterSession = this.planAnsweredCall;
  onMessageSpoken = this.planAnsweredCall;
  shouldHangUp = this.planAnsweredCall;
}

let calls: Calls;
let server: CarrierSocketServer;

Logger.overrideLogger(false);

beforeEach(async () => {
  calls = new Calls();
  server = new CarrierSocketServer(calls, { registerCallCount: () => undefined });
  await server.start();
});

afterEach(() => server.stop());

async function open(path = '/telephony/relay/tok'): Promise<WebSocket> {
  const socket = server.dial(path);
  await once(socket, 'open');
  return socket;
}

async function frame(socket: WebSocket): Promise<unknown> {
  const [data] = await once(socket, 'message');
  return JSON.parse(String(data));
}

describe('CarrierSocketService', () => {
  it('turns frames into events and ignores invalid ones', async () => {
    const carrier = await open();
    carrier.send(JSON.stringify({ type: 'setup', callSid: 'CA1' }));
    carrier.send('{"broken');
    carrier.send(Buffer.from([1, 2, 3]));
    carrier.send(JSON.stringify({ type: 'prompt', voicePrompt: 'Hello?', last: true }));
    carrier.send(JSON.stringify({ type: 'error', description: '64107 bad frame' }));
    carrier.send(JSON.stringify({ type: 'dtmf', digit: '5' }));
    expect(await calls.seen(3)).toEqual([
      { kind: 'utterance', text: 'Hello?', final: true },
      { kind: 'failed', reason: '64107 bad frame' },
      { kind: 'digit', digit: '5' },
    ]);
    carrier.close();
    expect((await calls.seen(4))[3]).toEqual({ kind: 'closed' });
  });

  it("handles every event of a line with its call's id for the log", async () => {
    const [first, second] = [await open('/telephony/relay/a'), await open('/telephony/relay/b')];
    second.send(JSON.stringify({ type: 'dtmf', digit: '2' }));
    await calls.seen(1);
    first.send(JSON.stringify({ type: 'dtmf', digit: '1' }));
    await calls.seen(2);
    second.close();
    await calls.seen(3);
    expect(calls.loggedCallIds).toEqual([2, 1, 2]);
  });

  it('speaks, presses digits and ends in the messages of the carrier', async () => {
    const carrier = await open();
    const [session] = calls.sessions;
    session?.say('Hi ', false, { interruptible: true, preemptible: false });
    expect(await frame(carrier)).toEqual({
      type: 'text',
      token: 'Hi ',
      last: false,
      interruptible: true,
      preemptible: false,
    });
    session?.sendDigits('12#');
    expect(await frame(carrier)).toEqual({ type: 'sendDigits', digits: '12#' });
    session?.end('goodbye');
    expect(await frame(carrier)).toEqual({ type: 'end', handoffData: '{"reason":"goodbye"}' });
  });

  it('buffers events until a listener is registered', async () => {
    let listen = () => {};
    calls.listening = new Promise((resolve) => (listen = resolve));
    const carrier = await open();
    carrier.send(JSON.stringify({ type: 'prompt', voicePrompt: 'Hello?', last: true }));
    carrier.ping();
    await once(carrier, 'pong');
    listen();
    expect(await calls.seen(1)).toEqual([{ kind: 'utterance', text: 'Hello?', final: true }]);
  });

  it('ignores speech after the line closes', async () => {
    const carrier = await open();
    carrier.close();
    await calls.seen(1);
    expect(() =>
      calls.sessions[0]?.say('Anybody?', true, { interruptible: true, preemptible: false }),
    ).not.toThrow();
  });

  it.each([
    ['an unsigned socket', '/telephony/relay/tok', 'AAAA', 403],
    ['another path', '/somewhere/else', undefined, 404],
    ['a token that no path may have', '/telephony/relay/a%20b', undefined, 404],
  ])('refuses %s', async (_, path, signature, status) => {
    expect(await refusalOf(server.dial(path, signature))).toBe(status);
    expect(calls.sessions).toHaveLength(0);
  });

  it('refuses an unknown token', async () => {
    calls.expected = false;
    expect(await refusalOf(server.dial('/telephony/relay/tok'))).toBe(404);
  });

  it('continues over the socket with which the carrier replaces a broken one', async () => {
    const first = await open();
    first.send(JSON.stringify({ type: 'dtmf', digit: '1' }));
    await calls.seen(1);
    first.terminate();
    const second = await open();
    const spoken = frame(second);
    calls.sessions[0]?.say('Still there.', true, { interruptible: true, preemptible: false });
    expect(await spoken).toMatchObject({ token: 'Still there.' });
    second.send(JSON.stringify({ type: 'dtmf', digit: '7' }));
    await calls.seen(2);
    second.close();
    expect((await calls.seen(3)).map(({ kind }) => kind)).toEqual(['digit', 'digit', 'closed']);
    expect(calls.sessions).toHaveLength(1);
  });

  it('closes the first socket when the carrier opens one for its next document', async () => {
    const first = await open();
    const closed = once(first, 'close');
    const second = await open('/telephony/relay/tok/1700000000000');
    await closed;
    while (calls.sessions.length < 2) await new Promise((resolve) => setImmediate(resolve));
    calls.sessions[1]?.end('goodbye');
    expect(await frame(second)).toMatchObject({ type: 'end' });
  });

  it('disconnects after a frame that is larger than any of the carrier', async () => {
    const carrier = await open();
    const closed = once(carrier, 'close');
    carrier.send('x'.repeat(70_000));
    expect((await closed)[0]).toBe(1009);
  });

  it('disconnects a carrier that reads nothing', async () => {
    const carrier = await open();
    carrier.pause();
    for (let count = 0; count < 400; count += 1) {
      calls.sessions[0]?.say('x'.repeat(60_000), false, { interruptible: true, preemptible: false });
    }
    expect(await calls.seen(1)).toEqual([{ kind: 'closed' }]);
    carrier.terminate();
  });

  it('reports its shutdown when the service stops, and lets the conversations finish', async () => {
    const carrier = await open();
    const closed = once(carrier, 'close');
    await server.sockets.onModuleDestroy();
    expect((await closed)[0]).toBe(1001);
    expect(calls.events).toEqual([{ kind: 'leaving' }, { kind: 'closed', playsOn: true }]);
  });

  it('refuses connections while it stops', async () => {
    let admit = () => {};
    calls.admitting = new Promise((resolve) => (admit = resolve));
    const asked = new Promise<void>((resolve) => (calls.onAsked = resolve));
    const status = refusalOf(server.dial('/telephony/relay/tok'));
    await asked;
    await server.sockets.onModuleDestroy();
    admit();
    expect(await status).toBe(503);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { DeepgramCall, framesOf, SECOND } from './deepgram-call.fake.js';
import { DeepgramTranscriberService } from './deepgram-transcriber.service.js';
import { FluxTranscriberService } from './flux-transcriber.service.js';

const FINAL = { is_final: true };

const call = new DeepgramCall();

beforeEach(() => call.start());
afterEach(() => call.stop());

describe('a socket of Deepgram that breaks while the customer speaks', () => {
  it('is replaced, and the audio without a final transcript is transcribed again', async () => {
    await call.open();
    call.speak(SECOND);
    call.stream.speechStarted();
    await call.server.until(() => call.server.audio.length === SECOND);
    call.server.result('I would like', { ...FINAL, start: 0, duration: 0.6 });
    call.server.result('to come', { start: 0.6, duration: 0.4 });
    await call.until(() => call.partials() === 2);
    call.server.client?.terminate();
    await call.server.until(() => call.server.connections === 2);
    call.speak(10, SECOND);
    await call.server.until(() => call.server.audio.length === 30);
    expect(framesOf(call.server.audio)).toEqual(Array.from({ length: 30 }, (_, index) => 30 + index));
    call.server.result('to come on Monday.', { ...FINAL, start: 0, duration: 0.6 });
    await call.until(() => call.partials() === 3);
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['I would like to come on Monday.']);
    expect(call.events.some(({ kind }) => kind === 'failed')).toBe(false);
  });

  it('counts the seconds of each socket from its beginning', async () => {
    await call.open();
    call.speak(SECOND);
    await call.server.until(() => call.server.audio.length === SECOND);
    call.server.result('One', { ...FINAL, start: 0, duration: 0.8 });
    await call.until(() => call.partials() === 1);
    call.server.client?.terminate();
    await call.server.until(() => call.server.connections === 2 && call.server.audio.length === 10);
    call.server.result('two', { ...FINAL, start: 0, duration: 0.1 });
    await call.until(() => call.partials() === 2);
    call.server.client?.terminate();
    await call.server.until(() => call.server.connections === 3 && call.server.audio.length === 5);
    expect(framesOf(call.server.audio)).toEqual([45, 46, 47, 48, 49]);
  });

  it('replays at most 8 s', async () => {
    await call.open();
    call.speak(20 * SECOND);
    await call.server.until(() => call.server.audio.length === 20 * SECOND);
    call.server.client?.terminate();
    await call.server.until(() => call.server.connections === 2 && call.server.audio.length >= 8 * SECOND);
    await call.arrived();
    expect(call.server.audio).toHaveLength(8 * SECOND);
  });

  it('fails when it breaks again and again, with the words that are known', async () => {
    await call.open();
    call.server.result('I would like', FINAL);
    await call.until(() => call.partials() === 1);
    call.server.sockets.on('connection', (socket) => socket.terminate());
    call.server.client?.terminate();
    await call.until(() => call.events.some(({ kind }) => kind === 'failed'));
    expect(call.server.connections).toBe(3);
    expect(call.events.slice(-2)).toMatchObject([
      { kind: 'final', text: 'I would like' },
      { kind: 'failed', error: { retryable: true } },
    ]);
  });
});

it.each([
  ['Deepgram', new DeepgramTranscriberService(), { type: 'Results', is_final: false }],
  ['Flux, which says that it is connected', new FluxTranscriberService(), { type: 'Connected' }],
  ['Flux', new FluxTranscriberService(), { type: 'TurnInfo', event: 'Update', transcript: '' }],
])('a socket of %s that breaks each time before a word fails', async (_, service, message) => {
  const broken: WebSocket[] = [];
  call.server.sockets.on('connection', (socket) => {
    broken.push(socket);
    if (broken.length > 4) return;
    socket.send(JSON.stringify(message), () => socket.close());
  });
  await call.open(service);
  await call.until(() => call.events.length > 0);
  expect(call.events).toMatchObject([{ kind: 'failed', error: { retryable: true } }]);
  expect(broken).toHaveLength(3);
});

describe.each([
  ['Deepgram', new DeepgramTranscriberService(), { type: 'Results', is_final: true, from_finalize: true }],
  ['Flux', new FluxTranscriberService(), { type: 'TurnInfo', event: 'EndOfTurn' }],
])('a socket of %s that is silent', (_, service, end) => {
  const says = (message: object): void => call.server.client?.send(JSON.stringify(message));
  const transcript = (text: string) => ({
    transcript: text,
    channel: { alternatives: [{ transcript: text }] },
  });

  beforeEach(async () => {
    await call.open(service);
    await call.arrived();
  });

  it('is replaced while the customer speaks, and no word is lost', async () => {
    call.stream.speechStarted();
    call.speak(2 * SECOND);
    await call.server.until(() => call.server.connections === 2 && call.server.audio.length === 2 * SECOND);
    call.stream.speechEnded();
    says({ ...end, ...transcript('I would like to come.') });
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['I would like to come.']);
  });

  it('is replaced at the end of a short utterance', async () => {
    call.stream.speechStarted();
    call.speak(1.5 * SECOND);
    call.stream.speechEnded();
    await call.server.until(() => call.server.connections === 2 && call.server.audio.length === 1.5 * SECOND);
    says({ ...end, ...transcript('Yes.') });
    await call.until(() => call.finals().length === 1);
    expect(call.finals()).toEqual(['Yes.']);
  });

  it('is kept where it reports that there were no words, or nobody speaks', async () => {
    call.speak(10 * SECOND);
    call.stream.speechStarted();
    call.speak(1.5 * SECOND);
    says({ type: 'Results', event: 'Update', ...transcript('') });
    says({ type: 'TurnInfo', event: 'Update', ...transcript('') });
    await call.arrived();
    call.stream.speechEnded();
    await call.until(() => call.finals().length === 1);
    call.speak(10 * SECOND);
    await call.arrived();
    expect([call.finals(), call.server.connections]).toEqual([[''], 1]);
  });

  it('fails when the next ones are silent, too', async () => {
    call.stream.speechStarted();
    for (const connections of [1, 2, 3]) {
      await call.server.until(() => call.server.connections === connections);
      await call.arrived();
      call.speak(2 * SECOND);
    }
    await call.until(() => call.events.length > 0);
    expect(call.events).toMatchObject([{ kind: 'failed', error: { retryable: true } }]);
  });
});

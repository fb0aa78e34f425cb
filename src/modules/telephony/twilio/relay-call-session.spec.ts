import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import type { CallSessionEvent } from '../call-session.js';
import { RelayCallSession } from './relay-call-session.js';

class FakeSocket extends EventEmitter {
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];

  send(text: string): void {
    this.sent.push((JSON.parse(text) as { token: string }).token);
  }

  /** 1006: it broke; others: it was closed. */
  ends(code: number): void {
    this.readyState = 3;
    this.emit('close', code);
  }

  presses(digit: string): void {
    this.emit('message', Buffer.from(JSON.stringify({ type: 'dtmf', digit })), false);
  }

  closedWith: number | null = null;

  close(code: number): void {
    this.closedWith = code;
  }
  terminate(): void {}
}

const OPTIONS = { interruptible: true, preemptible: false };

describe('RelayCallSession', () => {
  let first: FakeSocket;
  let second: FakeSocket;
  let session: RelayCallSession;
  let events: CallSessionEvent[];

  beforeEach(() => {
    jest.useFakeTimers();
    first = new FakeSocket();
    second = new FakeSocket();
    session = new RelayCallSession(first as unknown as WebSocket);
    events = [];
    session.onEvent((event) => events.push(event));
  });

  afterEach(() => {
    session.close();
    jest.useRealTimers();
  });

  const resume = () => session.resume(second as unknown as WebSocket);

  it('ends with a socket that is closed', () => {
    first.ends(1000);
    expect(events).toEqual([{ kind: 'closed' }]);
    expect(session.open).toBe(false);
  });

  it('sends over the second socket what was queued without a socket, once', () => {
    session.say('Before.', true, OPTIONS);
    first.ends(1006);
    session.say('Meanwhile.', true, OPTIONS);
    resume();
    session.say('After.', true, OPTIONS);
    expect(first.sent).toEqual(['Before.']);
    expect(second.sent).toEqual(['Meanwhile.', 'After.']);
    expect(events).toEqual([]);
  });

  it('waits 15 s for a second socket', () => {
    first.ends(1006);
    jest.advanceTimersByTime(14_999);
    expect(events).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(events).toEqual([{ kind: 'closed' }]);
  });

  it('continues for as long as the second socket holds', () => {
    first.ends(1006);
    resume();
    jest.advanceTimersByTime(60_000);
    second.presses('1');
    second.ends(1000);
    expect(events).toEqual([{ kind: 'digit', digit: '1' }, { kind: 'closed' }]);
  });

  it('ignores a replaced socket, even if its end is noticed later', () => {
    resume();
    first.presses('1');
    first.ends(1006);
    jest.advanceTimersByTime(60_000);
    expect(events).toEqual([]);
  });

  it('buffers no more than a carrier would play', () => {
    first.ends(1006);
    for (let count = 0; count <= 500; count += 1) session.say('word ', false, OPTIONS);
    expect(events).toEqual([{ kind: 'closed' }]);
  });

  it('moves to another process at once between two speeches', async () => {
    session.say('Before.', true, OPTIONS);
    await session.moveToOtherProcess(3_000);
    expect(first.closedWith).toBe(1001);
  });

  it('forwards what the carrier sends until it answers the close', async () => {
    await session.moveToOtherProcess(3_000);
    first.presses('1');
    first.ends(1001);
    expect(events).toEqual([
      { kind: 'leaving' },
      { kind: 'digit', digit: '1' },
      { kind: 'closed', playsOn: true },
    ]);
  });

  it('moves to another process at the end of the speech that is being sent', async () => {
    session.say('We are ', false, OPTIONS);
    const done = session.moveToOtherProcess(3_000);
    expect(first.closedWith).toBeNull();
    session.say('open.', true, OPTIONS);
    await done;
    expect(first.closedWith).toBe(1001);
  });

  it('is not waited for when its socket broke and the service stops', () => {
    first.ends(1006);
    void session.moveToOtherProcess(3_000);
    expect(events).toEqual([{ kind: 'closed', playsOn: true }]);
  });
});

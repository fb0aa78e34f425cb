import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BrowserSocket, type LineCloseReason } from './browser-socket.js';
import { FakeBrowserSocket } from './browser-socket.fake.js';

const lineOver = ({ socket }: FakeBrowserSocket) => new BrowserSocket(socket);

describe('BrowserSocket', () => {
  let socket: FakeBrowserSocket;
  let line: BrowserSocket;
  let frames: string[];
  let ends: LineCloseReason[];

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    socket = new FakeBrowserSocket();
    line = lineOver(socket);
    [frames, ends] = [[], []];
    line.setListener({ frame: (data) => frames.push(String(data)), closed: (end) => ends.push(end) });
  });

  afterEach(() => {
    line.close('hang-up');
    jest.useRealTimers();
  });

  it('keeps frames that come before the listener', () => {
    const early = new FakeBrowserSocket();
    const other = lineOver(early);
    early.emit('message', Buffer.from('one'), false);
    other.setListener({ frame: (data) => frames.push(String(data)), closed: () => undefined });
    early.emit('message', Buffer.from('two'), false);
    expect(frames).toEqual(['one', 'two']);
    other.close('hang-up');
  });

  it('is lost 15 s after it breaks, unless another socket replaces it', () => {
    socket.emit('close', 1006);
    jest.advanceTimersByTime(14_999);
    expect(ends).toEqual([]);
    const second = new FakeBrowserSocket();
    line.send({ kept: 1 });
    line.resume(second.socket);
    expect(second.sent).toEqual(['{"kept":1}']);
    jest.advanceTimersByTime(60_000);
    expect(ends).toEqual([]);
    // The broken one has no part in it any more.
    socket.emit('message', Buffer.from('late'), false);
    socket.emit('close', 1000);
    expect([frames, ends]).toEqual([[], []]);
    second.emit('close', 1006);
    jest.advanceTimersByTime(15_000);
    expect(ends).toEqual(['lost']);
  });

  it.each([1000, 1001, 1005])('is hung up when the browser closes it (%i)', (code) => {
    socket.emit('close', code);
    expect([ends, line.open]).toEqual([['hang-up'], false]);
  });

  it('is hung up at once when a frame breaks the protocol, e.g. one that is too big', () => {
    socket.emit('error', Object.assign(new Error('too big'), { code: 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' }));
    expect(ends).toEqual(['hang-up']);
  });

  it('notifies its listener that another socket replaces it, and buffers no audio meanwhile', () => {
    const events: string[] = [];
    line.setListener({
      frame: () => undefined,
      resumed: () => events.push('resumed'),
      closed: () => undefined,
    });
    expect(line.brokenSince).toBeNull();
    jest.setSystemTime(5_000);
    socket.emit('close', 1006);
    expect(line.brokenSince).toBe(5_000);
    line.sendAudio(Buffer.of(1, 2));
    const second = new FakeBrowserSocket();
    line.resume(second.socket);
    line.sendAudio(Buffer.of(3, 4));
    expect([events, second.sent, line.brokenSince]).toEqual([['resumed'], [Buffer.of(3, 4)], null]);
  });

  it('moves to another process when the process stops', () => {
    line.moveToOtherProcess();
    socket.emit('close', 1001);
    expect([ends, socket.closedWith]).toEqual([['handed-over'], 1001]);
  });

  it('is terminated when the browser reads nothing, or sends more than 200 frames a second and 400 at once', () => {
    socket.bufferedAmount = 512 * 1024 + 1;
    line.send({ more: 1 });
    expect([ends, socket.isTerminated, socket.sent]).toEqual([['lost'], true, []]);

    const loud = new FakeBrowserSocket();
    const other = lineOver(loud);
    other.setListener({ frame: () => undefined, closed: (end) => ends.push(end) });
    for (let second = 0; second < 3; second += 1) {
      for (let count = 0; count < 200; count += 1) loud.emit('message', Buffer.from('x'), false);
      jest.advanceTimersByTime(1_000);
    }
    expect(loud.closedWith).toBeNull();
    for (let count = 0; count < 401; count += 1) loud.emit('message', Buffer.from('x'), false);
    expect([ends, loud.closedWith]).toEqual([['lost', 'hang-up'], 1008]);
  });

  it('abandons a broken line whose buffer is full', () => {
    socket.emit('close', 1006);
    for (let count = 0; count < 500; count += 1) line.send({ count });
    expect(ends).toEqual([]);
    line.send({ count: 500 });
    expect(ends).toEqual(['lost']);
  });

  it('terminates a socket that does not answer a ping', () => {
    line.sendPing();
    socket.emit('pong');
    line.sendPing();
    expect([socket.pings, socket.isTerminated]).toEqual([2, false]);
    line.sendPing();
    expect(socket.isTerminated).toBe(true);
  });
});

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { AudioGaps, startGapTimer } from './audio-gaps.js';

describe('AudioGaps', () => {
  it("inserts nothing when the sender's clock runs 2 % faster, and fills gaps", () => {
    const gaps = new AudioGaps(0);
    for (let frame = 0; frame < 500; frame += 1) expect(gaps.gapBefore(frame * 20.4, 20, frame * 20)).toBe(0);
    expect(gaps.gapBefore(499 * 20.4 + 20 + 39, 20, 10_000)).toBe(0);
    expect(gaps.gapBefore(499 * 20.4 + 20 + 39 + 20 + 100, 20, 10_100)).toBeCloseTo(100);
  });

  it('counts the frames of the last second', () => {
    const gaps = new AudioGaps(0);
    const repeated = [20, 20, 40, 60, 40, 80, 0, 0, null, null].map((at) => gaps.isRepeated(at));
    expect(repeated.flatMap((is, index) => (is ? [index] : []))).toEqual([1, 4]);
    for (let frame = 5; frame < 100; frame += 1) gaps.isRepeated(frame * 20);
    expect([gaps.isRepeated(20), gaps.isRepeated(99 * 20)]).toEqual([false, true]);
  });
});

it('reads frames that arrived while the process was busy before it looks for a gap', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [receiver] = (await once(server, 'connection')) as [Socket];
  const order: string[] = [];
  receiver.on('data', () => order.push('audio'));
  const clock = startGapTimer(() => order.push('look'));
  try {
    // The kernel has it before the process is busy, for longer than the clock waits.
    sender.write('audio');
    for (const end = Date.now() + 150; Date.now() < end;);
    while (!order.includes('look')) await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['audio', 'look']);
  } finally {
    clearInterval(clock);
    sender.destroy();
    server.close();
  }
});

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { watchGaps } from './audio-gaps.js';

it('reads what has arrived while the process was busy before it looks for a gap', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [receiver] = (await once(server, 'connection')) as [Socket];
  const order: string[] = [];
  receiver.on('data', () => order.push('audio'));
  const clock = watchGaps(() => order.push('look'));
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

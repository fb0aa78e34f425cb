import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { incomingCall } from '../support/incoming-call.js';
import type { TimedModel } from './timed-model.js';

/** The estimated playback of the response has ended by then. */
const LISTEN_MS = 1_000;

/**
 * Calls the service like a carrier, and sends one question after the other, the first one at once.
 *
 * @returns milliseconds from each question to the request to the model
 */
export async function askOverPhone(
  serviceUrl: string,
  number: string,
  model: TimedModel,
  questions: number,
): Promise<number[]> {
  const { sid, url, headers } = await incomingCall(serviceUrl, number, '+12125550123', 'ConversationRelay');
  const socket = new WebSocket(url, { headers });
  try {
    await opened(socket);
    socket.send(JSON.stringify({ type: 'setup', sessionId: 'VX1', callSid: sid, customParameters: {} }));
    const waits: number[] = [];
    for (let asked = 0; asked < questions; asked++) {
      if (asked > 0) await sleep(LISTEN_MS);
      const before = model.askedAt.length;
      const at = performance.now();
      socket.send(
        JSON.stringify({ type: 'prompt', voicePrompt: 'Are you open?', lang: 'en-US', last: true }),
      );
      while (model.askedAt.length === before) await sleep(1);
      waits.push((model.askedAt[before] ?? NaN) - at);
    }
    return waits;
  } finally {
    socket.close(1000);
  }
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
}

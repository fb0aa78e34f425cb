import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { database } from '../../../test/support/database.js';
import type { AccountResources } from '../../../test/support/route.types.js';
import type { Installation } from '../support/installation.js';
import { CARRIER } from '../../harness/sandbox-process.js';
import type { Random } from '../support/random.js';
import { oddValue, oneOf } from './odd-values.js';

const FRAMES_PER_SOCKET = 20;
const OPEN_MS = 3_000;
const TYPES = ['setup', 'prompt', 'interrupt', 'dtmf', 'error', 'info', 'x', 1, null];
const FIELDS = [
  'type',
  'sessionId',
  'callSid',
  'voicePrompt',
  'last',
  'lang',
  'utteranceUntilInterrupt',
  'digit',
];
const NUMBER = '+15005550020';

/** Opens relay sockets for calls and sends invalid frames. @returns the number of frames */
export async function sendOddFrames(
  installation: Installation,
  resources: AccountResources,
  random: Random,
  sockets: number,
): Promise<number> {
  let frames = 0;
  for (let count = 0; count < sockets; count++) {
    frames += await oneSocket(installation, await callToken(resources), random);
  }
  return frames;
}

/** The token of a call that waits for its relay socket. */
async function callToken({ account, ids }: AccountResources): Promise<string> {
  const { rows } = await database().query<{ token: string }>(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
       client_phone_number, variables, price_per_minute_micros, max_duration)
     VALUES ($1, $2, 'Ada', 'outbound', 'in-progress', md5(random()::text), $3, $4, '{}', 0, 600) RETURNING token`,
    [account.id, ids.assistant, account.phoneNumber.phone_number, NUMBER],
  );
  return rows[0]?.token ?? '';
}

async function oneSocket({ url }: Installation, token: string, random: Random): Promise<number> {
  const address = `${url.replace('http', 'ws')}/telephony/relay/${token}`;
  const signature = createHmac('sha1', CARRIER.authToken).update(address).digest('base64');
  const socket = new WebSocket(address, { headers: { 'x-twilio-signature': signature } });
  socket.on('error', () => undefined);
  const open = new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
  if (!(await Promise.race([open, sleep(OPEN_MS, false)]))) {
    socket.terminate();
    return 0;
  }
  let sent = 0;
  for (; sent < FRAMES_PER_SOCKET && socket.readyState === WebSocket.OPEN; sent++) {
    socket.send(frame(random));
    await sleep(1);
  }
  socket.terminate();
  return sent;
}

function frame(random: Random): string | Buffer {
  const kind = random();
  if (kind < 0.1) return Buffer.from([0, 255, 254]);
  if (kind < 0.2) return oneOf(random, ['', '{', '[]', 'null', '1', '"a"', '{}', 'a'.repeat(70_000)]);
  const fields = FIELDS.filter(() => random() < 0.4).map((name) => [name, oddValue(random)]);
  return JSON.stringify({ type: oneOf(random, TYPES), ...Object.fromEntries(fields) });
}

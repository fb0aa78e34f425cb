/**
 * A visitor of a widget who uses up the limits: a process that talks on lines, or writes in text conversations, until
 * it is stopped. Runs at low priority, so that it does not take CPU time from the service and the measurement.
 */
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface VisitorOptions {
  url: string;
  uuid: string;
  origin: string;
  kind: 'text' | 'audio' | 'chat';
  /** Frames on a line: up to the line's limit, or questions with time for their responses. */
  talks: 'without end' | 'in turns';
}

const LOW_PRIORITY = 10;
/** Of one line: a higher rate ends it. */
const FRAMES_PER_SECOND = 100;
/** More than get a response. */
const QUESTION_MS = 1_500;
const LINES = 4;
const PAUSE_MS = 100;
const LONG = 'Tell me everything about all of your orders. '.repeat(45);
/** The model calls a tool for the response. */
const question = (): string => `Please check the status of order ${1_000 + sent}.`;

let sent = 0;

process.once('message', (options: VisitorOptions) => {
  for (let loop = 0; loop < LINES; loop += 1)
    void repeat(() => (options.kind === 'chat' ? chat : call)(options));
});
process.on('message', (message) => {
  if (message === 'stop') process.send?.(sent, () => process.exit(0));
});
// The parent process has ended.
process.once('disconnect', () => process.exit(1));
setPriority(LOW_PRIORITY);

async function repeat(work: () => Promise<void>): Promise<never> {
  for (;;) {
    await work().catch(() => undefined);
    await sleep(PAUSE_MS);
  }
}

const post = async (
  { url, origin }: VisitorOptions,
  path: string,
  body: object,
): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
};

async function call(options: VisitorOptions): Promise<void> {
  const { url } = await post(options, '/web-calls', { assistant_id: options.uuid });
  if (typeof url !== 'string') return;
  const socket = new WebSocket(options.kind === 'text' ? `${url}?line=text` : url);
  socket.on('error', () => undefined);
  socket.on('message', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const inTurns = options.talks === 'in turns';
  const talk = (): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    sent += 1;
    const text = inTurns ? question() : sent % 2 ? LONG : `Question ${sent}?`;
    socket.send(JSON.stringify({ type: 'prompt', text, last: true }));
    if (!inTurns && sent % 10 === 0)
      for (const digit of ['1', '#']) socket.send(JSON.stringify({ type: 'digit', digit }));
  };
  const timer = setInterval(talk, inTurns ? QUESTION_MS : 1_000 / FRAMES_PER_SECOND);
  await closed;
  clearInterval(timer);
}

async function chat(options: VisitorOptions): Promise<void> {
  const begun = await post(options, '/conversations', { assistant_id: options.uuid, type: 'widget' });
  for (let message = 0; message < 30; message += 1) {
    sent += 1;
    await post(options, `/conversations/${String(begun['conversation_id'])}/messages`, {
      message: `${LONG.slice(0, 1_900)} ${question()}`,
    });
  }
}

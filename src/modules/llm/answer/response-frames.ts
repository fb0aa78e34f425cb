import { DONE, StreamFrames, type Frame } from './stream-frames.js';

/** Bytes of one answer; it breaks off there. */
const MAX_BYTES = 8 * 1024 * 1024;
/** For the end of the body behind its last frame, after which the connection can be used again. */
const CLOSE_MS = 50;

/** The frames of the body of a response. @throws the fault of the connection */
export async function* framesOf({ body }: Pick<Response, 'body'>): AsyncGenerator<Frame> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const frames = new StreamFrames();
  let size = 0;
  let isDone = false;
  try {
    while (size <= MAX_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      for (const frame of frames.push(decoder.decode(value, { stream: true }))) {
        isDone ||= frame === DONE;
        yield frame;
      }
    }
    if (size <= MAX_BYTES) yield* frames.end();
  } finally {
    if (isDone) await soon(reader.read());
    await soon(reader.cancel());
  }
}

async function soon(task: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
  await Promise.race([task.catch(() => undefined), late]);
  clearTimeout(timer);
}

import { END_OF_STREAM, StreamFrameParser, type StreamFrame } from './stream-frames.js';

/** Maximum bytes of one response; the rest is not read. */
const MAX_BYTES = 8 * 1024 * 1024;
/** For the end of the body after its last frame: then the connection can be reused. */
const CLOSE_TIMEOUT_MS = 50;

/** The frames of the body of a response. @throws the error of the connection */
export async function* readFrames({ body }: Pick<Response, 'body'>): AsyncGenerator<StreamFrame> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const frames = new StreamFrameParser();
  let size = 0;
  let isDone = false;
  try {
    while (size <= MAX_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      for (const frame of frames.push(decoder.decode(value, { stream: true }))) {
        isDone ||= frame === END_OF_STREAM;
        yield frame;
      }
    }
    if (size <= MAX_BYTES) yield* frames.end();
  } finally {
    if (isDone) await waitBriefly(reader.read());
    await waitBriefly(reader.cancel());
  }
}

async function waitBriefly(task: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
  await Promise.race([task.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** The thread of the extraction: answers each request of `ExtractionThread` with one message. */
import { parentPort } from 'node:worker_threads';
import { extract } from './extract.js';
import { ExtractionError, type Chunk } from './extracted-text.js';
import type { ThreadAnswer, ThreadRequest } from './extraction-thread.js';

/** Characters of one message; its receiver copies it at once. */
const BATCH_CHARACTERS = 100_000;

let chunks: Chunk[] = [];
let sent = 0;

parentPort?.on('message', (request: ThreadRequest) => {
  void answer(request).then((message) => parentPort?.postMessage(message));
});

async function answer(request: ThreadRequest): Promise<ThreadAnswer> {
  if (request === 'next') return { kind: 'chunks', chunks: nextBatch() };
  try {
    const extraction = await extract(request);
    ({ chunks } = extraction);
    sent = 0;
    return { kind: 'extracted', extraction: { ...extraction, chunks: [] } };
  } catch (error) {
    const isForPeople = error instanceof ExtractionError;
    return {
      kind: 'failed',
      reason: isForPeople ? error.message : 'The document is damaged and cannot be read.',
    };
  }
}

/** Empty at the end. */
function nextBatch(): Chunk[] {
  const start = sent;
  for (let characters = 0; sent < chunks.length && characters < BATCH_CHARACTERS; sent++)
    characters += chunks[sent]?.text.length ?? 0;
  return chunks.slice(start, sent);
}

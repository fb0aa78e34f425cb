/** The process of the extraction: answers each request of `ExtractionProcess` with one message. */
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { extract } from './extract.js';
import { ExtractionError, type Chunk } from './extracted-text.js';
import type { ExtractionAnswer, ExtractionRequest } from './extraction-process.js';
import { startProcessGuard } from './process-guard.js';

/** Characters of one message; its receiver copies it at once. */
const BATCH_CHARACTERS = 100_000;
const DAMAGED = 'The document is damaged and cannot be read.';

let chunks: Chunk[] = [];
let sent = 0;

startProcessGuard(process.argv.slice(2));
// Calls come first: with the processor, and when the machine has no memory left (proc(5)).
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
// A supervisor that stops the service signals all of its processes; the service still waits for this one.
process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.on('uncaughtException', () => send({ kind: 'failed', reason: DAMAGED }));
process.on('message', (request: ExtractionRequest) => void answer(request).then(send));

function send(message: ExtractionAnswer): void {
  process.send?.(message);
}

async function answer(request: ExtractionRequest): Promise<ExtractionAnswer> {
  if (request === 'next') return { kind: 'chunks', chunks: nextBatch() };
  try {
    const extraction = await extract(request);
    ({ chunks } = extraction);
    sent = 0;
    return { kind: 'extracted', extraction: { ...extraction, chunks: [] } };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof ExtractionError ? error.message : DAMAGED };
  }
}

/** Empty at the end. */
function nextBatch(): Chunk[] {
  const start = sent;
  for (let characters = 0; sent < chunks.length && characters < BATCH_CHARACTERS; sent++)
    characters += chunks[sent]?.text.length ?? 0;
  return chunks.slice(start, sent);
}

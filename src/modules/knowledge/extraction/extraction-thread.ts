import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Extraction, ExtractionTask } from './extract.js';
import { ExtractionError, type Chunk } from './extracted-text.js';

export type ThreadRequest = ExtractionTask | 'next';
export type ThreadAnswer =
  | { kind: 'extracted'; extraction: Extraction }
  | { kind: 'chunks'; chunks: Chunk[] }
  | { kind: 'failed'; reason: string };

export interface ExtractionLimits {
  /** Milliseconds of a task. */
  timeMs: number;
  /** Megabytes by which the process may grow during a task, be it objects or unpacked bytes. */
  growthMb: number;
}

export const EXTRACTION_LIMITS: ExtractionLimits = { timeMs: 120_000, growthMb: 512 };

const WORKER = new URL('./extraction.worker.js', import.meta.url);
const MEMORY_CHECK_MS = 20;
/**
 * Megabytes of the thread's heap, far above `growthMb`: a thread that needs more at once than is left ends the whole
 * process (V8: "Reached heap limit"), so the growth has to be seen before.
 */
const HEAP_MB = 4096;
const MEGABYTE = 1024 * 1024;
const TOO_MUCH_MEMORY = 'The document needs too much memory.';

/** Tasks of all threads of the process run one after another: the growth of the process is that of one task. */
let turns: Promise<unknown> = Promise.resolve();

/**
 * A thread for documents of strangers. A task that exceeds a limit ends with its thread, and the next one gets a new
 * thread; the process and its event loop go on.
 */
export class ExtractionThread {
  private worker: Worker | null = null;

  constructor(
    private readonly limits = EXTRACTION_LIMITS,
    private readonly file = WORKER,
  ) {}

  /** @throws ExtractionError */
  run(task: ExtractionTask): Promise<Extraction> {
    const done = turns.then(() => this.runNow(task));
    turns = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private async runNow(task: ExtractionTask): Promise<Extraction> {
    const worker = (this.worker ??= this.start());
    const watch = new LimitWatch(worker, this.limits);
    try {
      const first = await watch.ask(task);
      if (first.kind === 'failed') throw new ExtractionError(first.reason);
      if (first.kind !== 'extracted') throw new Error('The thread gave another answer than expected.');
      return { ...first.extraction, chunks: await chunksOf(watch) };
    } catch (error) {
      if (watch.isOver) await this.close();
      throw error;
    } finally {
      watch.end();
    }
  }

  /** Without the settings and the secrets of the environment. */
  private start(): Worker {
    const worker = new Worker(this.file, {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: HEAP_MB,
        maxYoungGenerationSizeMb: 32,
        stackSizeMb: 4,
      },
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    // Without a task, an error ends the thread and nothing else.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = null;
    });
    return worker;
  }
}

/** In batches, with other work of the event loop between them. */
async function chunksOf(watch: LimitWatch): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (;;) {
    const answer = await watch.ask('next');
    if (answer.kind !== 'chunks' || answer.chunks.length === 0) return chunks;
    for (const chunk of answer.chunks) chunks.push(chunk);
    await setImmediate();
  }
}

/** One task of a worker: its questions and answers, and the limits that end it. */
class LimitWatch {
  isOver = false;
  private readonly failed: Promise<never>;
  private fail: (error: Error) => void = () => undefined;
  private readonly timers: NodeJS.Timeout[];

  constructor(
    private readonly worker: Worker,
    { timeMs, growthMb }: ExtractionLimits,
  ) {
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
    const start = process.memoryUsage.rss();
    const checkMemory = (): void => {
      if (process.memoryUsage.rss() - start > growthMb * MEGABYTE) this.stop(TOO_MUCH_MEMORY);
    };
    const seconds = Math.ceil(timeMs / 1000);
    this.timers = [
      setTimeout(() => this.stop(`The document was not read within ${seconds} seconds.`), timeMs),
      setInterval(checkMemory, MEMORY_CHECK_MS),
    ];
    worker.on('error', this.onError);
    worker.on('exit', this.onExit);
  }

  async ask(request: ThreadRequest): Promise<ThreadAnswer> {
    const answered = new Promise<ThreadAnswer>((resolve) => this.worker.once('message', resolve));
    this.worker.postMessage(request);
    return Promise.race([answered, this.failed]);
  }

  end(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.worker.off('error', this.onError).off('exit', this.onExit);
  }

  private readonly onError = (error: Error & { code?: string }): void =>
    this.stop(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? TOO_MUCH_MEMORY
        : 'The document is damaged and cannot be read.',
    );

  private readonly onExit = (): void => this.stop('The reading of the document was ended.');

  private stop(reason: string): void {
    this.isOver = true;
    this.fail(new ExtractionError(reason));
  }
}

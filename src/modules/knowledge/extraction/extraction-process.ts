import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Extraction, ExtractionTask } from './extract.js';
import { ExtractionError, type Chunk } from './extracted-text.js';
import { OUT_OF_MEMORY_SIGNAL } from './process-guard.js';

export type ExtractionRequest = ExtractionTask | 'next';
export type ExtractionAnswer =
  | { kind: 'extracted'; extraction: Extraction }
  | { kind: 'chunks'; chunks: Chunk[] }
  | { kind: 'failed'; reason: string };

export interface ExtractionLimits {
  /** Milliseconds of a task, with the start of its process. */
  timeMs: number;
  /** Milliseconds for which the next task waits for one that is not done. */
  turnMs: number;
  /** Megabytes of objects. */
  heapMb: number;
  /** Megabytes of the whole process: objects, unpacked bytes and code. */
  memoryMb: number;
}

export const EXTRACTION_LIMITS: ExtractionLimits = {
  timeMs: 120_000,
  turnMs: 10_000,
  heapMb: 512,
  memoryMb: 704,
};

const CHILD = new URL('./extraction.child.js', import.meta.url);
const PROC = '/proc';
const MEMORY_CHECK_MS = 20;
const MEGABYTE = 1024 * 1024;
const TOO_MUCH_MEMORY = 'The document needs too much memory.';

/**
 * Tasks begin in turn: most documents take the memory and the processor of one child. A task that takes longer than its
 * turn goes on beside the next one, so that a document of one account does not delay another's by more. How many there
 * are at a time, and that they are of different accounts, is a matter of the queue (`JOB_KINDS`).
 */
let turns: Promise<unknown> = Promise.resolve();

/**
 * A child process for documents of strangers. A task that exceeds a limit ends with its process, and the next one gets a
 * new process. A thread would not do: V8 ends the whole process when the heap of one of its threads is full.
 */
export class ExtractionProcess {
  private child: ChildProcess | null = null;

  constructor(
    private readonly limits = EXTRACTION_LIMITS,
    private readonly file = CHILD,
    private readonly proc = PROC,
  ) {}

  /** @throws ExtractionError */
  run(task: ExtractionTask): Promise<Extraction> {
    const before = turns;
    const done = before.then(() => this.runNow(task));
    turns = before.then(() => endOrTimeout(done, this.limits.turnMs));
    return done;
  }

  close(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private async runNow(task: ExtractionTask): Promise<Extraction> {
    const watch = new TaskWatch((this.child ??= this.start()), this.limits, this.proc);
    try {
      const first = await watch.ask(task);
      if (first.kind === 'failed') throw new ExtractionError(first.reason);
      if (first.kind !== 'extracted') throw new Error('The process gave another answer than expected.');
      return { ...first.extraction, chunks: await chunksOf(watch) };
    } catch (error) {
      this.close();
      throw error;
    } finally {
      watch.end();
    }
  }

  /** Without the settings and the secrets of the environment. */
  private start(): ChildProcess {
    const { heapMb, memoryMb } = this.limits;
    const ownLimit = existsSync(this.proc) ? [] : [String(memoryMb)];
    const child = fork(fileURLToPath(this.file), [String(process.pid), ...ownLimit], {
      env: {},
      execArgv: [`--max-old-space-size=${heapMb}`],
      // A process group of its own, which the terminal's Ctrl-C does not reach.
      detached: true,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    // Without a task, an error ends the process and nothing else.
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (this.child === child) this.child = null;
    });
    return child;
  }
}

export type Extractor = Pick<ExtractionProcess, 'run' | 'close'>;

/** Resolves when the work has ended, in any way, or after `ms`. */
const endOrTimeout = (work: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });

/** In batches, with other work of the event loop between them. */
async function chunksOf(watch: TaskWatch): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (;;) {
    const answer = await watch.ask('next');
    if (answer.kind !== 'chunks' || answer.chunks.length === 0) return chunks;
    for (const chunk of answer.chunks) chunks.push(chunk);
    await setImmediate();
  }
}

/** One task of a process: its questions and answers, and the limits that end it. */
class TaskWatch {
  private readonly failed: Promise<never>;
  private fail: (error: Error) => void = () => undefined;
  private readonly timers: NodeJS.Timeout[];

  constructor(
    private readonly child: ChildProcess,
    { timeMs, memoryMb }: ExtractionLimits,
    proc: string,
  ) {
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
    const checkMemory = (): void => {
      if (residentBytes(proc, child.pid) > memoryMb * MEGABYTE) this.stop(TOO_MUCH_MEMORY);
    };
    const seconds = Math.ceil(timeMs / 1000);
    this.timers = [
      setTimeout(() => this.stop(`The document was not read within ${seconds} seconds.`), timeMs),
      setInterval(checkMemory, MEMORY_CHECK_MS),
    ];
    child.on('error', this.onError).on('exit', this.onExit);
  }

  async ask(request: ExtractionRequest): Promise<ExtractionAnswer> {
    const { child } = this;
    let answer: (answer: ExtractionAnswer) => void = () => undefined;
    const answered = new Promise<ExtractionAnswer>((resolve) => (answer = resolve));
    child.once('message', answer);
    // An error of it is that of an ended process: `exit` tells why.
    child.send(request, () => undefined);
    try {
      return await Promise.race([answered, this.failed]);
    } finally {
      child.off('message', answer);
    }
  }

  end(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.child.off('error', this.onError).off('exit', this.onExit);
  }

  /** The process was not started: nothing is known about the document. */
  private readonly onError = (error: Error): void => this.fail(error);

  private readonly onExit = (_: number | null, signal: NodeJS.Signals | null): void =>
    // V8 aborts at the limit of the heap.
    this.stop(
      signal === 'SIGABRT' || signal === OUT_OF_MEMORY_SIGNAL
        ? TOO_MUCH_MEMORY
        : 'The reading of the document was interrupted.',
    );

  private stop(reason: string): void {
    this.fail(new ExtractionError(reason));
  }
}

/**
 * 0: it has ended, or the system does not tell. Read at once, in some microseconds: libuv reads files in threads, and
 * on a busy machine the lock of their queue blocks this one for a tenth of a second.
 */
function residentBytes(proc: string, pid = 0): number {
  try {
    const status = readFileSync(`${proc}/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

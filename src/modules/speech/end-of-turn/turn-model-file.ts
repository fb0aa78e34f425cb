import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { SAMPLE_RATE } from '#src/modules/media/audio-line.js';
import { Resampler } from '../audio/resampler.js';
import type { TurnAudio } from './end-of-turn-model.js';

/** The input: the last 8 s of the turn at 16 kHz, from -1 to 1; zeros stand before a shorter turn. */
const MODEL_RATE = 16_000;
const MODEL_SECONDS = 8;
const MODEL_SAMPLES = MODEL_SECONDS * MODEL_RATE;
/** Time for an answer in a call, with the wait for answers to other calls; a later one is ignored. */
export const BUDGET_MS = 100;
const INPUT = `float32 [1, ${MODEL_SAMPLES}]`;
const FULL_SCALE = 32_768;
/** Audio that takes what the resampler has kept of another turn. */
const FLUSH_MS = 50;

type OnnxRuntime = typeof import('onnxruntime-node');

/** Why a file is no end-of-turn model; the message follows the name of the setting. */
export class TurnModelFileError extends Error {}

/** An end-of-turn model in the ONNX format, see docs/run/turn-model.md. */
export class TurnModelFile {
  private readonly resamplers = new Map<number, Promise<Resampler>>();

  private constructor(
    private readonly runtime: OnnxRuntime,
    private readonly session: InferenceSession,
  ) {}

  /**
   * Checks the file, by a trial with silence too.
   *
   * @throws TurnModelFileError
   */
  static async open(path: string): Promise<TurnModelFile> {
    const runtime = await loadRuntime();
    const oneThread = { intraOpNumThreads: 1, interOpNumThreads: 1 };
    const session = await runtime.InferenceSession.create(path, oneThread).catch((error: unknown) => {
      throw new TurnModelFileError(`cannot be read as an ONNX model: ${reasonOf(error)}`);
    });
    checkInterface(session);
    const model = new TurnModelFile(runtime, session);
    await model
      .probability({ samples: new Int16Array(0), sampleRate: MODEL_RATE })
      .catch((error: unknown) => {
        throw new TurnModelFileError(`fails with silence: ${reasonOf(error)}`);
      });
    return model;
  }

  /**
   * @returns the probability that the turn is complete, 0–1
   * @throws Error where the model fails, or its output is no probability
   */
  async probability({ samples, sampleRate }: TurnAudio): Promise<number> {
    const input = new Float32Array(MODEL_SAMPLES);
    const audio = (await this.toModelRate(samples, sampleRate)).subarray(-MODEL_SAMPLES);
    const start = MODEL_SAMPLES - audio.length;
    for (let at = 0; at < audio.length; at += 1) input[start + at] = (audio[at] ?? 0) / FULL_SCALE;
    const [inputName = ''] = this.session.inputNames;
    const [outputName = ''] = this.session.outputNames;
    const tensor = new this.runtime.Tensor('float32', input, [1, MODEL_SAMPLES]);
    return probabilityOf((await this.session.run({ [inputName]: tensor }))[outputName]);
  }

  /** Warms the model up. @returns milliseconds for a long turn of silence */
  async trialMs(): Promise<number> {
    let ms = 0;
    // The first turn of each rate takes longer: it loads the resampler.
    for (let times = 0; times < 2; times += 1) {
      for (const sampleRate of Object.values(SAMPLE_RATE)) {
        const started = performance.now();
        await this.probability({ samples: new Int16Array(MODEL_SECONDS * sampleRate), sampleRate });
        ms = Math.round(performance.now() - started);
      }
    }
    return ms;
  }

  private async toModelRate(samples: Int16Array, sampleRate: number): Promise<Int16Array> {
    const created = this.resamplers.get(sampleRate) ?? Resampler.create(sampleRate, MODEL_RATE);
    this.resamplers.set(sampleRate, created);
    const resampler = await created;
    resampler.push(new Int16Array((FLUSH_MS * sampleRate) / 1000));
    return resampler.push(samples);
  }
}

async function loadRuntime(): Promise<OnnxRuntime> {
  try {
    return (await import('onnxruntime-node')).default;
  } catch {
    throw new TurnModelFileError('needs the optional package onnxruntime-node, which is not installed');
  }
}

function checkInterface({ inputMetadata, outputMetadata }: InferenceSession): void {
  const inputs = inputMetadata.map(describe).join(' and ');
  const [input] = inputMetadata;
  const fits =
    inputMetadata.length === 1 && input?.isTensor && input.type === 'float32' && fitsShape(input.shape);
  if (!fits) throw new TurnModelFileError(`must have one input, ${INPUT}, and has ${inputs}`);
  const outputs = outputMetadata.map(describe).join(' and ');
  const [output] = outputMetadata;
  if (outputMetadata.length !== 1 || !output?.isTensor || output.type !== 'float32')
    throw new TurnModelFileError(`must have one output, a float32 probability, and has ${outputs}`);
}

/** Names in place of numbers are dimensions of any size. */
const fitsShape = ([batch, samples, ...others]: readonly (number | string)[]): boolean =>
  others.length === 0 &&
  (typeof batch === 'string' || batch === 1) &&
  (typeof samples === 'string' || samples === MODEL_SAMPLES);

function describe(value: InferenceSession.ValueMetadata): string {
  return value.isTensor
    ? `${value.name} ${value.type} [${value.shape.join(', ')}]`
    : `${value.name}, no tensor`;
}

function probabilityOf(output: Tensor | undefined): number {
  const { data, size = 0 } = output ?? {};
  const probability = data instanceof Float32Array && size === 1 ? data[0] : undefined;
  if (probability === undefined) throw new Error(`the output has ${size} values in place of one`);
  // Also false for what is no number.
  if (!(probability >= 0 && probability <= 1))
    throw new Error(`the output ${probability} is no probability from 0 to 1`);
  return probability;
}

/** Of an error of the runtime, in words. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

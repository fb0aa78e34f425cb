import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { parseRetryAfter } from '#src/common/outbound-http/retry-after.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';

/** For passages; their document waits in the background. */
const PASSAGES_TIMEOUT_MS = 20_000;
/** For a question: a search has 300 ms. */
const QUESTION_TIMEOUT_MS = 150;
/** After a failure, questions are searched by full text alone. */
const PAUSE_MS = 5_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** Longer than between two questions of a conversation. */
const KEEP_ALIVE_MS = 60_000;
/** 32 vectors of 4,096 numbers with 20 digits each have 3 MB. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const MAX_DIMENSIONS = 4_096;

/** The message has no text and no key. */
export class EmbeddingsError extends Error {
  constructor(
    message: string,
    /** Whether the same request may succeed in a moment. */
    readonly isTemporary: boolean,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

export interface VectorModel {
  model: string;
  /** 0: those of the model. */
  wantedDimensions: number;
}

/** Vectors of an OpenAI-compatible server, whose address comes from the operator. */
@Injectable()
export class EmbeddingsService implements OnApplicationShutdown {
  private readonly agent = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  private pausedUntil = 0;

  constructor(private readonly runtime: RuntimeSettings) {}

  /** Of the settings; null: there is no endpoint. */
  get model(): VectorModel | null {
    const { embeddings } = this.runtime;
    return embeddings && { model: embeddings.model, wantedDimensions: embeddings.dimensions };
  }

  /** Cosine from which a passage is like a question. */
  get minSimilarity(): number {
    return this.runtime.embeddings?.minSimilarity ?? 1;
  }

  /** In the order of the texts, all with the same number of dimensions. @throws EmbeddingsError */
  embedPassages(model: VectorModel, texts: readonly string[]): Promise<Float32Array[]> {
    return this.embed(model, texts, PASSAGES_TIMEOUT_MS);
  }

  /** Null: no endpoint, no answer in time, or another number of dimensions. */
  async embedQuestion(model: VectorModel, text: string, dimensions: number): Promise<Float32Array | null> {
    if (!this.runtime.embeddings || performance.now() < this.pausedUntil) return null;
    try {
      const [vector] = await this.embed(model, [text], QUESTION_TIMEOUT_MS);
      return vector?.length === dimensions ? vector : null;
    } catch {
      this.pausedUntil = performance.now() + PAUSE_MS;
      return null;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async embed(
    { model, wantedDimensions }: VectorModel,
    input: readonly string[],
    timeoutMs: number,
  ): Promise<Float32Array[]> {
    const { embeddings } = this.runtime;
    if (!embeddings) throw new EmbeddingsError('There is no endpoint for embeddings', false);
    const { endpoint, apiKey } = embeddings;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { statusCode, headers, body } = await request(`${endpoint}/embeddings`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({
          model,
          input,
          encoding_format: 'float',
          ...(wantedDimensions > 0 && { dimensions: wantedDimensions }),
        }),
        signal,
        dispatcher: this.agent,
      });
      const text = await readBounded(body);
      if (statusCode === 200) return vectorsOf(text, input.length);
      const isTemporary = statusCode >= 500 || statusCode === 429 || statusCode === 408;
      const retryAfter = parseRetryAfter(headers['retry-after']?.toString(), Date.now());
      throw new EmbeddingsError(`The endpoint answers with status ${statusCode}`, isTemporary, retryAfter);
    } catch (error) {
      if (error instanceof EmbeddingsError) throw error;
      const reason = signal.aborted ? `has not answered within ${timeoutMs} ms` : 'cannot be reached';
      throw new EmbeddingsError(`The endpoint ${reason}`, true);
    }
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new EmbeddingsError('The response is too long', false);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** @throws EmbeddingsError */
function vectorsOf(text: string, count: number): Float32Array[] {
  let data: unknown;
  try {
    ({ data } = JSON.parse(text) as { data: unknown });
  } catch {
    throw new EmbeddingsError('The response is no JSON', false);
  }
  if (!Array.isArray(data) || data.length !== count)
    throw new EmbeddingsError('The response has another number of vectors', false);
  const rows = data as { index?: unknown; embedding?: unknown }[];
  const dimensions = Array.isArray(rows[0]?.embedding) ? rows[0].embedding.length : 0;
  const vectors: Float32Array[] = [];
  for (const [place, { index = place, embedding }] of rows.entries()) {
    if (!Array.isArray(embedding) || embedding.length !== dimensions || dimensions === 0)
      throw new EmbeddingsError('The response has vectors of several lengths, or none', false);
    if (dimensions > MAX_DIMENSIONS)
      throw new EmbeddingsError(`A vector has more than ${MAX_DIMENSIONS} numbers`, false);
    if (!embedding.every((value) => Number.isFinite(value)))
      throw new EmbeddingsError('A vector has something else than numbers', false);
    vectors[Number(index)] = Float32Array.from(embedding as number[]);
  }
  if (Object.keys(vectors).length !== count || vectors.length !== count)
    throw new EmbeddingsError('The response has another order of vectors', false);
  return vectors;
}

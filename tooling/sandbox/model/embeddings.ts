import { createHash } from 'node:crypto';

const DIMENSIONS = 256;

export interface EmbeddingsRequest {
  model: string;
  input: string | string[];
  /** Numbers of a vector; without it 256. */
  dimensions?: number;
}

/**
 * A vector without a model: of the parts of three letters of each word. Texts with similar words have similar vectors,
 * the same text always has the same one.
 */
export function embed(text: string, dimensions = DIMENSIONS): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const padded = `<${word}>`;
    for (let from = 0; from + 3 <= padded.length; from++) {
      const hash = hashOf(padded.slice(from, from + 3));
      const place = (hash >>> 1) % dimensions;
      vector[place] = (vector[place] ?? 0) + (hash & 1 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const hashes = new Map<string, number>();
function hashOf(part: string): number {
  const known = hashes.get(part);
  if (known !== undefined) return known;
  const hash = createHash('md5').update(part).digest().readUInt32LE();
  if (hashes.size < 100_000) hashes.set(part, hash);
  return hash;
}

/** As OpenAI's. */
export function embeddingsAnswer({ model, input, dimensions }: EmbeddingsRequest): object {
  const texts = [input].flat();
  return {
    object: 'list',
    model,
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: embed(text, dimensions) })),
    usage: { prompt_tokens: 0, total_tokens: 0 },
  };
}

export const EMBEDDINGS_REQUEST_SCHEMA = {
  type: 'object',
  required: ['model', 'input'],
  properties: {
    model: { type: 'string' },
    input: { anyOf: [{ type: 'string' }, { type: 'array', maxItems: 2_048, items: { type: 'string' } }] },
    dimensions: { type: 'integer', minimum: 1, maximum: 4_096 },
  },
} as const;

import { createHash } from 'node:crypto';

const DIMENSIONS = 512;
/** Letters of a part of a word, with marks for its beginning and its end. */
const PART = 4;
/** All parts of a word together, beside the word itself. */
const PARTS_WEIGHT = 0.25;
const ENDING = /(?:ing|ed|es|s|ly|ions?|ers?)$/;
const SHORTEST_STEM = 4;

/** Words of English texts that tell nothing of what they are about. */
const FUNCTION_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can could did do does doing down during each few for from further had has have having he her here hers him his how i
  if in into is it its just me more most my no nor not now of off on once only or other our out over own same she
  should so some such than that the their them then there these they this those through to too under until up very was
  we were what when where which while who whom why will with would you your`.split(/\s+/),
);

export interface EmbeddingsRequest {
  model: string;
  input: string | string[];
  /** Numbers of a vector; without it 512. */
  dimensions?: number;
}

/**
 * A vector without a model, of the stems of words and their parts: texts with the same or similar words have similar
 * vectors, the same text always has the same one. Like those of models it has no zeros, and its signs alone tell much.
 */
export function embed(text: string, dimensions = DIMENSIONS): number[] {
  const size = 2 ** Math.ceil(Math.log2(dimensions));
  const vector = new Float64Array(size);
  for (const [feature, { times, weight }] of featuresOf(text)) {
    const hash = hashOf(feature);
    const place = (hash >>> 1) % size;
    vector[place]! += (hash & 1 ? 1 : -1) * weight * (1 + Math.log(times));
  }
  spread(vector);
  const kept = Array.from(vector.subarray(0, dimensions));
  const length = Math.hypot(...kept) || 1;
  return kept.map((value) => value / length);
}

/** Long words count more: most of them are rarer. */
function featuresOf(text: string): Map<string, { times: number; weight: number }> {
  const features = new Map<string, { times: number; weight: number }>();
  const add = (feature: string, weight: number): void => {
    features.set(feature, { times: (features.get(feature)?.times ?? 0) + 1, weight });
  };
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (FUNCTION_WORDS.has(word)) continue;
    const stem = word.replace(ENDING, (ending, at: number) => (at < SHORTEST_STEM ? ending : ''));
    const weight = Math.log(1 + stem.length);
    add(stem, weight);
    const padded = `<${stem}>`;
    const parts = Math.max(1, padded.length - PART + 1);
    for (let from = 0; from < parts; from++)
      add(`part ${padded.slice(from, from + PART)}`, (weight * PARTS_WEIGHT) / Math.sqrt(parts));
  }
  return features;
}

/** Turns a vector so that each of its numbers becomes a part of all of them: a Walsh–Hadamard transform. */
function spread(vector: Float64Array): void {
  for (let place = 0; place < vector.length; place++) if (hashOf(`sign ${place}`) & 1) vector[place]! *= -1;
  for (let half = 1; half < vector.length; half *= 2)
    for (let start = 0; start < vector.length; start += 2 * half)
      for (let place = start; place < start + half; place++) {
        const [one, other] = [vector[place]!, vector[place + half]!];
        vector[place] = one + other;
        vector[place + half] = one - other;
      }
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

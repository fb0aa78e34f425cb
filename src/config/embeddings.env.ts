import { DecimalEnv, IntegerEnv, TextEnv, UrlEnv, type EnvProblems } from './env-fields.js';

/** Where passages of knowledge bases and questions become vectors. */
export class EmbeddingsEnv {
  @UrlEnv({
    name: 'EMBEDDINGS_ENDPOINT',
    schemes: ['http:', 'https:'],
    example: 'https://api.openai.com/v1',
    unset: 'none: full text only',
    description:
      'Address of an OpenAI-compatible server with `/embeddings`, which gets all passages of knowledge bases',
  })
  endpoint: string | null = null;

  @TextEnv({
    name: 'EMBEDDINGS_API_KEY',
    example: 'sk-your-key',
    unset: 'none',
    description: 'Key of that server',
  })
  apiKey: string | null = null;

  @TextEnv({
    name: 'EMBEDDINGS_MODEL',
    example: 'text-embedding-3-small',
    unset: 'none',
    description: 'Model of the vectors; required with `EMBEDDINGS_ENDPOINT`',
  })
  model: string | null = null;

  @IntegerEnv({
    name: 'EMBEDDINGS_DIMENSIONS',
    min: 0,
    max: 4096,
    example: '512',
    description: 'Numbers of a vector, for models that can shorten them; 0: as many as the model has',
  })
  dimensions = 0;

  @DecimalEnv({
    name: 'EMBEDDINGS_MIN_SIMILARITY',
    min: 0,
    max: 1,
    example: '0.4',
    description:
      'Cosine from which a passage is found without the words of a question; unrelated texts have 0.1 with some models, 0.7 with others',
  })
  minSimilarity = 0.4;
}

export interface EmbeddingsSettings {
  /** Without a slash at the end. */
  endpoint: string;
  apiKey: string | null;
  model: string;
  /** 0: those of the model. */
  dimensions: number;
  /** 0–1. */
  minSimilarity: number;
}

/** Null: there is no endpoint. */
export function readEmbeddingsSettings(
  { endpoint, model, ...rest }: EmbeddingsEnv,
  problems: EnvProblems,
): EmbeddingsSettings | null {
  if (endpoint === null) return null;
  if (model === null) problems.add('EMBEDDINGS_MODEL', 'is required with EMBEDDINGS_ENDPOINT');
  return { ...rest, endpoint: endpoint.replace(/\/+$/, ''), model: model ?? '' };
}

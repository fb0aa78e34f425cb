import { CallsEnv } from './calls-env.dto.js';
import { EncryptionEnv } from './encryption.env.js';
import { CarrierEnv, GeneralEnv, HttpEnv, ModelEnv, OutboundEnv, WebhooksEnv } from './env.dto.js';
import { PublicEnv } from './public-env.dto.js';
import { TracingEnv } from './tracing-env.dto.js';
import { EmbeddingsEnv } from './embeddings.env.js';
import { SpeechEnv } from './speech.env.js';
import { RecordingsEnv } from './recordings.env.js';

/** All settings. */
export const ENV_GROUPS = [
  HttpEnv,
  PublicEnv,
  GeneralEnv,
  EncryptionEnv,
  CarrierEnv,
  ModelEnv,
  SpeechEnv,
  EmbeddingsEnv,
  OutboundEnv,
  CallsEnv,
  WebhooksEnv,
  TracingEnv,
  RecordingsEnv,
];

import { join, resolve } from 'node:path';
import { EnvProblems, readEnv } from './env-fields.js';
import {
  CarrierEnv,
  GeneralEnv,
  HttpEnv,
  ModelEnv,
  OutboundEnv,
  WebhooksEnv,
  type CarrierSettings,
  type ModelSettings,
} from './env.dto.js';
import { EncryptionEnv } from './encryption.env.js';
import { CallsEnv } from './calls-env.dto.js';
import { EmbeddingsEnv, readEmbeddingsSettings } from './embeddings.env.js';
import { SpeechEnv } from './speech.env.js';
import { TracingEnv } from './tracing-env.dto.js';
import { PublicEnv } from './public-env.dto.js';
import { checkProductionRules } from './production-rules.js';
import { RecordingsEnv, readS3Settings } from './recordings.env.js';

/** The checked environment. `databaseUrl`, `redisUrl`, `carrier`, `model`: null where the service starts the part. */
export type Settings = ReturnType<typeof readSettings>;

/** @throws SettingsError naming every variable that is wrong, with an example. */
export function loadSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const problems = new EnvProblems();
  const settings = readSettings(env, problems);
  if (settings.production) checkProductionRules(settings, problems);
  problems.throwIfAny();
  return settings;
}

function readSettings(env: NodeJS.ProcessEnv, problems: EnvProblems) {
  const http = readEnv(HttpEnv, env, problems);
  const { environment, ...general } = readEnv(GeneralEnv, env, problems);
  const outbound = readEnv(OutboundEnv, env, problems);
  const model = modelOf(readEnv(ModelEnv, env, problems), problems);
  const speech = readEnv(SpeechEnv, env, problems);
  const recordings = readEnv(RecordingsEnv, env, problems);
  const dataDir = resolve(general.dataDir);
  const production = environment === 'production';
  const host = http.host ?? (production ? '0.0.0.0' : '127.0.0.1');
  const publicUrl = http.publicUrl ?? `http://${reachable(host)}:${http.port}`;
  // Without an external database this is a developer's machine, whose own tools and webhooks may be called.
  const loopback = general.databaseUrl === null && !production ? ['127.0.0.0/8', '::1/128'] : [];
  return {
    ...general,
    production,
    dataDir,
    /** Empty: not set. */
    encryptionKeys: readEnv(EncryptionEnv, env, problems).keys,
    http: { ...http, ...readEnv(PublicEnv, env, problems), host, publicUrl },
    carrier: carrierOf(readEnv(CarrierEnv, env, problems), problems),
    model,
    speech: { ...speech, voiceDetection: speech.voiceDetection ?? (model ? 'model' : 'energy') },
    embeddings: readEmbeddingsSettings(readEnv(EmbeddingsEnv, env, problems), problems),
    outbound: { allowCidrs: [...outbound.allowCidrs, ...loopback] },
    calls: { ...readEnv(CallsEnv, env, problems) },
    webhooks: { ...readEnv(WebhooksEnv, env, problems) },
    tracing: tracingOf(readEnv(TracingEnv, env, problems)),
    recordings: {
      storage: recordings.storage,
      folder: resolve(recordings.folder ?? join(dataDir, 'recordings')),
      deleteAtCarrier: recordings.deleteAtCarrier,
      s3: readS3Settings(recordings, problems),
      urlTtlHours: recordings.urlTtlHours,
    },
  };
}

function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
}

function carrierOf(
  { accountSid, authToken, apiUrl }: CarrierEnv,
  problems: EnvProblems,
): CarrierSettings | null {
  if (accountSid && authToken) return { accountSid, authToken, apiUrl };
  if (accountSid) problems.add('TWILIO_AUTH_TOKEN', 'is required with TWILIO_ACCOUNT_SID');
  if (authToken) problems.add('TWILIO_ACCOUNT_SID', 'is required with TWILIO_AUTH_TOKEN');
  if (apiUrl && !accountSid) problems.add('TWILIO_ACCOUNT_SID', 'is required with TWILIO_API_URL');
  return null;
}

const tracingOf = ({ endpoint, exporter, share }: TracingEnv) => ({
  isOn: exporter === null ? endpoint !== null : exporter === 'otlp',
  share,
});

function modelOf({ apiKey, baseUrl, ...others }: ModelEnv, problems: EnvProblems): ModelSettings | null {
  if (apiKey) return { ...others, apiKey, baseUrl: baseUrl ?? 'https://api.openai.com/v1' };
  if (baseUrl) problems.add('LLM_API_KEY', 'is required with LLM_BASE_URL');
  return null;
}

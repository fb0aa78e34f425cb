import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { EnvReader } from './env-reader.js';
import { checkForProduction } from './production-rules.js';
import { ROLES, type CarrierSettings, type ModelSettings, type Settings } from './settings.types.js';
import { VARIABLES as V } from './variables.js';

/** @throws SettingsError naming every variable that is wrong, with an example. */
export function loadSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const read = new EnvReader(env);
  const production = env.NODE_ENV === 'production';
  const host = read.text(V.HOST) ?? (production ? '0.0.0.0' : '127.0.0.1');
  const port = read.integer(V.PORT, 3000, 1, 65535);
  const databaseUrl = read.url(V.DATABASE_URL, ['postgres:', 'postgresql:']);
  const settings: Settings = {
    production,
    role: read.oneOf(V.ROLE, ROLES, 'all'),
    http: {
      host,
      port,
      apiPrefix: readPrefix(read),
      publicUrl: read.url(V.PUBLIC_URL, ['http:', 'https:']) ?? `http://${reachable(host)}:${port}`,
      corsOrigins: read.list(V.CORS_ORIGINS),
      docsEnabled: read.flag(V.DOCS_ENABLED, true),
      rateLimitPerMinute: read.text(V.RATE_LIMIT_PER_MINUTE)
        ? read.integer(V.RATE_LIMIT_PER_MINUTE, 600, 1, 1_000_000)
        : null,
      maxInFlightPerAccount: read.integer(V.MAX_IN_FLIGHT_PER_ACCOUNT, 20, 1, 10_000),
      operatorToken: read.text(V.OPERATOR_TOKEN),
    },
    dataDir: resolve(read.text(V.DATA_DIR) ?? '.data'),
    databaseUrl,
    redisUrl: read.url(V.REDIS_URL, ['redis:', 'rediss:']),
    embeddedRedis: read.flag(V.EMBEDDED_REDIS, true),
    carrier: readCarrier(read),
    model: readModel(read),
    allowSandbox: read.flag(V.ALLOW_SANDBOX, false),
    sandboxSpeed: read.decimal(V.SANDBOX_SPEED, 1, 0.1, 1000),
    // Without an external database this is somebody's own machine: a tool or a webhook on it is the normal case.
    outbound: { allowCidrs: readCidrs(read, databaseUrl === null && !production) },
    calls: {
      aiDisclosure: read.flag(V.AI_DISCLOSURE, true),
      ringTimeoutSeconds: read.integer(V.RING_TIMEOUT_SECONDS, 30, 5, 120),
    },
    webhooks: { retentionDays: read.integer(V.WEBHOOK_RETENTION_DAYS, 30, 1, 3650) },
    logLevel: read.oneOf(V.LOG_LEVEL, ['debug', 'info', 'warn', 'error'] as const, 'info'),
  };
  if (production) checkForProduction(read, settings);
  read.finish();
  return settings;
}

function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
}

function readPrefix(read: EnvReader): string {
  const prefix = (read.text(V.API_PREFIX) ?? '/api').replace(/^\/*/, '/').replace(/\/+$/, '');
  if (!/^(\/[\w-]+)*$/.test(prefix)) read.reject(V.API_PREFIX, 'must be a path of plain words');
  return prefix;
}

function readCarrier(read: EnvReader): CarrierSettings | null {
  const accountSid = read.text(V.TWILIO_ACCOUNT_SID);
  const authToken = read.text(V.TWILIO_AUTH_TOKEN);
  const apiUrl = read.url(V.TWILIO_API_URL, ['http:', 'https:']);
  if (accountSid && authToken) return { accountSid, authToken, apiUrl };
  if (accountSid) read.reject(V.TWILIO_AUTH_TOKEN, 'is required with TWILIO_ACCOUNT_SID');
  if (authToken) read.reject(V.TWILIO_ACCOUNT_SID, 'is required with TWILIO_AUTH_TOKEN');
  if (apiUrl && !accountSid) read.reject(V.TWILIO_ACCOUNT_SID, 'is required with TWILIO_API_URL');
  return null;
}

function readModel(read: EnvReader): ModelSettings | null {
  const apiKey = read.text(V.LLM_API_KEY);
  const baseUrl = read.url(V.LLM_BASE_URL, ['http:', 'https:']);
  if (apiKey) return { apiKey, baseUrl: baseUrl ?? 'https://api.openai.com/v1' };
  if (baseUrl) read.reject(V.LLM_API_KEY, 'is required with LLM_BASE_URL');
  return null;
}

function readCidrs(read: EnvReader, openLoopback: boolean): string[] {
  const cidrs = read.list(V.OUTBOUND_ALLOW_CIDRS);
  for (const cidr of cidrs) {
    if (!ipaddr.isValidCIDR(cidr)) read.reject(V.OUTBOUND_ALLOW_CIDRS, 'must be a list of CIDR ranges');
  }
  return openLoopback ? [...cidrs, '127.0.0.0/8', '::1/128'] : cidrs;
}

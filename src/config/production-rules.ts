import type { EncryptionKey } from './encryption-keys.js';
import type { EnvProblems } from './env-fields.js';
import type { CarrierSettings, ModelSettings } from './env.dto.js';
import type { S3Settings } from './recordings.env.js';

/** The account of every sandbox; no account of the carrier has it. */
const SANDBOX_ACCOUNT_SID = `AC${'0'.repeat(32)}`;

/**
 * Secrets that are published in this project's files. Those of the sandbox are accepted with the sandbox, the others
 * never.
 */
const PUBLISHED = {
  TWILIO_AUTH_TOKEN: { sandbox: ['sandbox-auth-token'], never: ['the-auth-token-of-the-account'] },
  LLM_API_KEY: { sandbox: ['sandbox-api-key'], never: ['sk-your-key'] },
  OPERATOR_TOKEN: { sandbox: [], never: ['a-long-random-string-of-your-own'] },
  RECORDINGS_S3_SECRET_ACCESS_KEY: { sandbox: [], never: ['the-secret-of-that-access-key'] },
  ENCRYPTION_KEYS: { sandbox: [], never: ['YW4tZXhhbXBsZS1rZXktZG8tbm90LXVzZS1pdC1ub3c='] },
  DATABASE_PASSWORD: { sandbox: [], never: ['calling', 'password'] },
} as const satisfies Record<string, { sandbox: readonly string[]; never: readonly string[] }>;

/** `allowSandbox` accepts the sandbox's own. */
function isPublished(
  secret: keyof typeof PUBLISHED,
  value: string | null | undefined,
  allowSandbox: boolean,
): boolean {
  const { sandbox, never }: { sandbox: readonly string[]; never: readonly string[] } = PUBLISHED[secret];
  return value != null && (never.includes(value) || (!allowSandbox && sandbox.includes(value)));
}

/** A sandbox in this process (null), or one elsewhere, recognised by its account. */
export const isSandboxCarrier = (carrier: CarrierSettings | null): boolean =>
  carrier === null || carrier.accountSid === SANDBOX_ACCOUNT_SID;

/**
 * A sandbox in this process (null), or one elsewhere, recognised by its key or by the address that it shares with the
 * carrier's sandbox.
 */
export function isSandboxModel(model: ModelSettings | null, carrier: CarrierSettings | null): boolean {
  if (model === null || PUBLISHED.LLM_API_KEY.sandbox.some((key) => key === model.apiKey)) return true;
  const carrierUrl = carrier?.apiUrl;
  return (
    carrierUrl != null &&
    isSandboxCarrier(carrier) &&
    new URL(model.baseUrl).origin === new URL(carrierUrl).origin
  );
}

const NO_SANDBOX = 'or ALLOW_SANDBOX=true for an installation that makes no real calls';
const CHANGE_IT = 'is a value that everybody can read in the documentation: set one of your own';

interface Checked {
  allowSandbox: boolean;
  databaseUrl: string | null;
  redisUrl: string | null;
  encryptionKeys: readonly EncryptionKey[];
  carrier: CarrierSettings | null;
  model: ModelSettings | null;
  http: { operatorToken: string | null; publicUrl: string };
  recordings: { s3: S3Settings | null };
}

/** Adds problems of settings that are accepted for a trial, but not for calls to real people. */
export function checkProductionRules(settings: Checked, problems: EnvProblems): void {
  const { allowSandbox, databaseUrl, redisUrl, encryptionKeys, carrier, model, http, recordings } = settings;
  const require = (name: string, value: string | null): void => {
    if (value === null && !problems.has(name)) problems.add(name, 'is required in production');
  };
  require('DATABASE_URL', databaseUrl);
  require('REDIS_URL', redisUrl);
  require('ENCRYPTION_KEYS', encryptionKeys[0]?.name ?? null);
  if (!allowSandbox) refuseTrial(settings, problems);
  if (isPublished('TWILIO_AUTH_TOKEN', carrier?.authToken, allowSandbox)) {
    problems.add('TWILIO_AUTH_TOKEN', CHANGE_IT);
  }
  if (encryptionKeys.some(({ bytes }) => isPublished('ENCRYPTION_KEYS', bytes.toString('base64'), false)))
    problems.add('ENCRYPTION_KEYS', CHANGE_IT);
  if (isPublished('LLM_API_KEY', model?.apiKey, allowSandbox)) problems.add('LLM_API_KEY', CHANGE_IT);
  if (isPublished('OPERATOR_TOKEN', http.operatorToken, allowSandbox)) {
    problems.add('OPERATOR_TOKEN', CHANGE_IT);
  }
  if (
    isPublished('RECORDINGS_S3_SECRET_ACCESS_KEY', recordings.s3?.credentials?.secretAccessKey, allowSandbox)
  ) {
    problems.add('RECORDINGS_S3_SECRET_ACCESS_KEY', CHANGE_IT);
  }
  if (isPublished('DATABASE_PASSWORD', passwordOf(databaseUrl), allowSandbox)) {
    problems.add('DATABASE_URL', 'has a password that everybody can read in the documentation: change it');
  }
}

function refuseTrial({ carrier, model, http }: Checked, problems: EnvProblems): void {
  if (http.publicUrl.startsWith('http:')) {
    problems.add('PUBLIC_URL', `must begin with https:// in production, ${NO_SANDBOX}`);
  }
  const isHalfSet = problems.has('TWILIO_ACCOUNT_SID') || problems.has('TWILIO_AUTH_TOKEN');
  if (isSandboxCarrier(carrier) && !isHalfSet) {
    problems.add('TWILIO_ACCOUNT_SID', `must name an account of the carrier in production, ${NO_SANDBOX}`);
  }
  if (isSandboxModel(model, carrier) && !problems.has('LLM_API_KEY')) {
    problems.add('LLM_API_KEY', `must be a key of a language model in production, ${NO_SANDBOX}`);
  }
}

/** As written in the URL: no published password has a character that is escaped there. */
function passwordOf(databaseUrl: string | null): string | null {
  return databaseUrl === null ? null : new URL(databaseUrl).password;
}

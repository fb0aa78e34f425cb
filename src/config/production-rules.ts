import type { CarrierSettings, ModelSettings, Settings } from './settings.types.js';
import type { EnvReader } from './env-reader.js';
import { VARIABLES as V } from './variables.js';

/** The account that every sandbox plays; no account of the carrier has it. */
const SANDBOX_ACCOUNT_SID = `AC${'0'.repeat(32)}`;

/**
 * Secrets that stand in this project's files, and so are known to everybody. Those of the sandbox protect nothing but
 * the sandbox; the others never do.
 */
const PUBLISHED = {
  TWILIO_AUTH_TOKEN: { sandbox: ['sandbox-auth-token'], never: ['the-auth-token-of-the-account'] },
  LLM_API_KEY: { sandbox: ['sandbox-api-key'], never: ['sk-your-key'] },
  OPERATOR_TOKEN: { sandbox: [], never: ['a-long-random-string'] },
  DATABASE_PASSWORD: { sandbox: [], never: ['calling', 'password'] },
} as const satisfies Record<string, { sandbox: readonly string[]; never: readonly string[] }>;

/** Whether anybody knows it. `allowSandbox` excuses the sandbox's own. */
export function isPublished(
  secret: keyof typeof PUBLISHED,
  value: string | null | undefined,
  allowSandbox: boolean,
): boolean {
  const { sandbox, never }: { sandbox: readonly string[]; never: readonly string[] } = PUBLISHED[secret];
  return value != null && (never.includes(value) || (!allowSandbox && sandbox.includes(value)));
}

/** In this process (null) or, by its account, somewhere else. */
export const isSandboxCarrier = (carrier: CarrierSettings | null): boolean =>
  carrier === null || carrier.accountSid === SANDBOX_ACCOUNT_SID;

/** In this process (null), with its own key, or beside a carrier that is one: a sandbox serves both at one address. */
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

type Judged = Pick<Settings, 'allowSandbox' | 'databaseUrl' | 'redisUrl' | 'carrier' | 'model' | 'http'>;

/** What is fine for trying the service out, but not with real people's calls. */
export function checkForProduction(read: EnvReader, settings: Judged): void {
  const { allowSandbox, carrier, model, http } = settings;
  if (!read.text(V.DATABASE_URL)) read.reject(V.DATABASE_URL, 'is required in production');
  if (!read.text(V.REDIS_URL)) read.reject(V.REDIS_URL, 'is required in production');
  if (!allowSandbox) refuseSandbox(read, settings);
  if (isPublished('TWILIO_AUTH_TOKEN', carrier?.authToken, allowSandbox)) {
    read.reject(V.TWILIO_AUTH_TOKEN, CHANGE_IT);
  }
  if (isPublished('LLM_API_KEY', model?.apiKey, allowSandbox)) read.reject(V.LLM_API_KEY, CHANGE_IT);
  if (isPublished('OPERATOR_TOKEN', http.operatorToken, allowSandbox)) {
    read.reject(V.OPERATOR_TOKEN, CHANGE_IT);
  }
  if (isPublished('DATABASE_PASSWORD', passwordOf(settings.databaseUrl), allowSandbox)) {
    read.reject(V.DATABASE_URL, 'has a password that everybody can read in the documentation: change it');
  }
}

function refuseSandbox(read: EnvReader, { carrier, model }: Judged): void {
  const isHalfSet = read.hasProblem(V.TWILIO_ACCOUNT_SID) || read.hasProblem(V.TWILIO_AUTH_TOKEN);
  if (isSandboxCarrier(carrier) && !isHalfSet) {
    read.reject(V.TWILIO_ACCOUNT_SID, `must name an account of the carrier in production, ${NO_SANDBOX}`);
  }
  if (isSandboxModel(model, carrier) && !read.hasProblem(V.LLM_API_KEY)) {
    read.reject(V.LLM_API_KEY, `must be a key of a language model in production, ${NO_SANDBOX}`);
  }
}

/** As it stands in the URL: the published ones have no character that is written in another way there. */
function passwordOf(databaseUrl: string | null): string | null {
  return databaseUrl === null ? null : new URL(databaseUrl).password;
}

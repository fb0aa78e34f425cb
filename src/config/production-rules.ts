import type { EnvReader } from './env-reader.js';
import { isPublished, isSandboxCarrier, isSandboxModel } from './known-values.js';
import type { Settings } from './settings.js';
import { VARIABLES as V } from './variables.js';

const NO_SANDBOX = 'or ALLOW_SANDBOX=true for an instanceId that makes no real calls';
const PUBLISHED = 'is a value that everybody can read in the documentation: set one of your own';

type Judged = Pick<Settings, 'allowSandbox' | 'databaseUrl' | 'redisUrl' | 'carrier' | 'model' | 'http'>;

/** What is fine for trying the service out, but not with real people's calls. */
export function checkForProduction(read: EnvReader, settings: Judged): void {
  const { allowSandbox, carrier, model, http } = settings;
  if (!read.text(V.DATABASE_URL)) read.reject(V.DATABASE_URL, 'is required in production');
  if (!read.text(V.REDIS_URL)) read.reject(V.REDIS_URL, 'is required in production');
  if (!allowSandbox) refuseSandbox(read, settings);
  if (isPublished('TWILIO_AUTH_TOKEN', carrier?.authToken, allowSandbox)) {
    read.reject(V.TWILIO_AUTH_TOKEN, PUBLISHED);
  }
  if (isPublished('LLM_API_KEY', model?.apiKey, allowSandbox)) read.reject(V.LLM_API_KEY, PUBLISHED);
  if (isPublished('OPERATOR_TOKEN', http.operatorToken, allowSandbox)) {
    read.reject(V.OPERATOR_TOKEN, PUBLISHED);
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

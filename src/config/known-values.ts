import type { CarrierSettings, ModelSettings } from './settings.js';

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

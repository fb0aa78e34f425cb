import type { Variable } from './env-reader.js';

const EXAMPLES = {
  PORT: '3000',
  HOST: '0.0.0.0',
  API_PREFIX: '/api',
  PUBLIC_URL: 'https://calls.example.com',
  CORS_ORIGINS: 'https://app.example.com',
  DOCS_ENABLED: 'true',
  RATE_LIMIT_PER_MINUTE: '600',
  MAX_IN_FLIGHT_PER_ACCOUNT: '20',
  OPERATOR_TOKEN: 'a-long-random-string',
  DATA_DIR: '.data',
  ROLE: 'all',
  DATABASE_URL: 'postgres://user:password@127.0.0.1:5432/calls',
  REDIS_URL: 'redis://127.0.0.1:6379/0',
  EMBEDDED_REDIS: 'true',
  TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
  TWILIO_AUTH_TOKEN: 'the-auth-token-of-the-account',
  TWILIO_API_URL: 'http://127.0.0.1:4010',
  LLM_BASE_URL: 'https://api.openai.com/v1',
  LLM_API_KEY: 'sk-your-key',
  ALLOW_SANDBOX: 'false',
  SANDBOX_SPEED: '1',
  OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8,192.168.0.0/16',
  AI_DISCLOSURE: 'true',
  RING_TIMEOUT_SECONDS: '30',
  WEBHOOK_RETENTION_DAYS: '30',
  LOG_LEVEL: 'info',
} as const;

/** Every environment variable that the service reads, with an example that would be accepted. */
export const VARIABLES = Object.fromEntries(
  Object.entries(EXAMPLES).map(([name, example]) => [name, { name, example }]),
) as Record<keyof typeof EXAMPLES, Variable>;

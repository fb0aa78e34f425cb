import {
  ChoiceEnv,
  CidrListEnv,
  CurrencyEnv,
  DecimalEnv,
  FlagEnv,
  IntegerEnv,
  ListEnv,
  ModelEndpointsEnv,
  PathEnv,
  SecretEnv,
  TextEnv,
  UrlEnv,
} from './env-fields.js';

/*
 * The environment variables of the service, here and in the other `*env*.ts` files of this folder: name, type, default,
 * limits and description. A new setting is an entry, a line in `.env.example` and a row in docs/run/settings.md, which
 * `npm run docs:settings` writes; env.dto.spec.ts compares the three. Null: not set.
 */

export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const HTTP = ['http:', 'https:'];

export class HttpEnv {
  @IntegerEnv({ name: 'PORT', min: 1, max: 65_535, example: '3000', description: 'Port of the HTTP server' })
  port = 3000;

  @TextEnv({
    name: 'HOST',
    example: '0.0.0.0',
    unset: '`127.0.0.1` (production: `0.0.0.0`)',
    description: 'Address at which the HTTP server listens',
  })
  host: string | null = null;

  @PathEnv({ name: 'API_PREFIX', example: '/api', description: 'First part of every API path' })
  apiPrefix = '/api';

  @UrlEnv({
    name: 'PUBLIC_URL',
    schemes: HTTP,
    example: 'https://calls.example.com',
    unset: '`http://HOST:PORT`',
    description: 'Address at which the carrier reaches the service; links begin with it',
  })
  publicUrl: string | null = null;

  @ListEnv({
    name: 'CORS_ORIGINS',
    example: 'https://app.example.com',
    unset: 'none',
    description: 'Origins of browsers that may call the API, separated by commas',
  })
  corsOrigins: string[] = [];

  @FlagEnv({
    name: 'DOCS_ENABLED',
    example: 'true',
    description: '`false`: no `/docs`, `/docs-json`, `/docs-yaml` and `/guide`',
  })
  docsEnabled = true;

  @FlagEnv({
    name: 'CONSOLE_ENABLED',
    example: 'true',
    description: '`false`: no `/console`',
  })
  consoleEnabled = true;

  @IntegerEnv({
    name: 'RATE_LIMIT_PER_MINUTE',
    min: 1,
    max: 1_000_000,
    example: '600',
    unset: 'no limit',
    description: 'Requests per minute of one token, and of all tokens of an account together',
  })
  rateLimitPerMinute: number | null = null;

  @IntegerEnv({
    name: 'MAX_IN_FLIGHT_PER_ACCOUNT',
    min: 1,
    max: 10_000,
    example: '20',
    description: 'Concurrent requests of one account in a process',
  })
  maxInFlightPerAccount = 20;

  @SecretEnv({
    name: 'OPERATOR_TOKEN',
    min: 24,
    example: 'a-long-random-string-of-your-own',
    unset: 'no access',
    description: 'Token that opens `/admin/queues`, at least 24 characters',
  })
  operatorToken: string | null = null;
}

export class GeneralEnv {
  @TextEnv({
    name: 'NODE_ENV',
    example: 'production',
    unset: 'development',
    description: '`production`: external stores, carrier and model are required',
  })
  environment: string | null = null;

  @ChoiceEnv({ name: 'ROLE', values: ROLES, example: 'all', description: '`api`, `worker` or both: `all`' })
  role: Role = 'all';

  @TextEnv({ name: 'DATA_DIR', example: '.data', description: "Directory of the service's own files" })
  dataDir = '.data';

  @UrlEnv({
    name: 'DATABASE_URL',
    schemes: ['postgres:', 'postgresql:'],
    example: 'postgres://user:password@127.0.0.1:5432/calls',
    unset: 'a private Postgres in `DATA_DIR`',
    description: 'PostgreSQL database; required in production',
  })
  databaseUrl: string | null = null;

  @UrlEnv({
    name: 'REDIS_URL',
    schemes: ['redis:', 'rediss:'],
    example: 'redis://127.0.0.1:6379/0',
    unset: 'a private Redis if the machine has one, else none',
    description: 'Redis for the queue; required in production',
  })
  redisUrl: string | null = null;

  @TextEnv({
    name: 'CATALOGUE_FILE',
    example: '/etc/calls/catalogue.yaml',
    unset: 'none',
    description: 'YAML file of models, voices and speech providers, laid over the catalogue of the release',
  })
  catalogueFile: string | null = null;

  @FlagEnv({
    name: 'EMBEDDED_REDIS',
    example: 'true',
    description: '`false`: no private Redis; jobs run in the process',
  })
  embeddedRedis = true;

  @IntegerEnv({
    name: 'DUE_ROWS_MS',
    min: 100,
    max: 60_000,
    example: '2000',
    description: 'How often a process looks for due work that nothing announced, 100–60,000 ms',
  })
  dueRowsMs = 2_000;

  @CurrencyEnv({
    name: 'CURRENCY',
    example: 'USD',
    description: 'What balances and prices are in (ISO 4217): the console names it, nothing is converted',
  })
  currency = 'USD';

  @FlagEnv({ name: 'ALLOW_SANDBOX', example: 'false', description: 'Allows the sandbox in production' })
  allowSandbox = false;

  @DecimalEnv({
    name: 'SANDBOX_SPEED',
    min: 0.1,
    max: 1000,
    example: '1',
    description: "Speed of the sandbox's callees; 2 is twice as fast as real time",
  })
  sandboxSpeed = 1;

  @ChoiceEnv({
    name: 'LOG_LEVEL',
    values: ['debug', 'info', 'warn', 'error'],
    example: 'info',
    description: '`debug`, `info`, `warn` or `error`',
  })
  logLevel = 'info';
}

export class CarrierEnv {
  @TextEnv({
    name: 'TWILIO_ACCOUNT_SID',
    example: 'AC0123456789abcdef0123456789abcdef',
    unset: 'the sandbox',
    description: "The carrier's account",
  })
  accountSid: string | null = null;

  @TextEnv({
    name: 'TWILIO_AUTH_TOKEN',
    example: 'the-auth-token-of-the-account',
    unset: 'the sandbox',
    description: 'Secret of that account',
  })
  authToken: string | null = null;

  @UrlEnv({
    name: 'TWILIO_API_URL',
    schemes: HTTP,
    example: 'http://127.0.0.1:4010',
    unset: "Twilio's own",
    description: 'Another carrier with the same interface, for example `npm run sandbox`',
  })
  apiUrl: string | null = null;
}

/** Credentials and address of the carrier; `apiUrl` null means the carrier's own address. */
export interface CarrierSettings {
  accountSid: string;
  authToken: string;
  apiUrl: string | null;
}

export class ModelEnv {
  @TextEnv({
    name: 'LLM_API_KEY',
    example: 'sk-your-key',
    unset: 'the sandbox',
    description: 'Key of the language model',
  })
  apiKey: string | null = null;

  @UrlEnv({
    name: 'LLM_BASE_URL',
    schemes: HTTP,
    example: 'https://api.openai.com/v1',
    unset: '`https://api.openai.com/v1` with a key, else the sandbox',
    description: 'Address of the language model',
  })
  baseUrl: string | null = null;

  @ModelEndpointsEnv({
    name: 'LLM_ENDPOINTS',
    example: '{"groq":{"base_url":"https://api.groq.com/openai/v1","api_key":"gsk-your-key"}}',
    unset: 'none',
    description:
      'Further endpoints of language models by name, as JSON; a model of the catalogue names its own',
  })
  endpoints: Record<string, ModelEndpointSettings> = {};

  @DecimalEnv({
    name: 'LLM_FALLBACK_SECONDS',
    min: 0.5,
    max: 9,
    example: '3',
    description: 'Time without a useful token after which the fallback model is asked too',
  })
  fallbackSeconds = 3;
}

export interface ModelEndpointSettings {
  baseUrl: string;
  apiKey: string;
}

export interface ModelSettings extends ModelEndpointSettings {
  endpoints: Record<string, ModelEndpointSettings>;
  fallbackSeconds: number;
}

/** Without further endpoints. */
export const singleModelSettings = (endpoint: ModelEndpointSettings): ModelSettings => {
  const { endpoints, fallbackSeconds } = new ModelEnv();
  return { ...endpoint, endpoints, fallbackSeconds };
};

export class OutboundEnv {
  @CidrListEnv({
    name: 'OUTBOUND_ALLOW_CIDRS',
    example: '10.0.0.0/8,192.168.0.0/16',
    unset: 'none; loopback without `DATABASE_URL`',
    description: 'Private networks that tools and webhooks may reach, separated by commas',
  })
  allowCidrs: string[] = [];
}

export class WebhooksEnv {
  @IntegerEnv({
    name: 'WEBHOOK_RETENTION_DAYS',
    min: 1,
    max: 3650,
    example: '30',
    description: 'How many days finished deliveries are kept',
  })
  retentionDays = 30;
}

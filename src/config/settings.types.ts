export const ROLES = ['all', 'api', 'worker'] as const;

export type Role = (typeof ROLES)[number];

/** Credentials and address of the carrier; `apiUrl` null means the carrier's own address. */
export interface CarrierSettings {
  accountSid: string;
  authToken: string;
  apiUrl: string | null;
}

export interface ModelSettings {
  baseUrl: string;
  apiKey: string;
}

/** What the environment says, checked. Null where the service starts the part itself. */
export interface Settings {
  production: boolean;
  role: Role;
  http: {
    host: string;
    port: number;
    apiPrefix: string;
    publicUrl: string;
    corsOrigins: string[];
    docsEnabled: boolean;
    rateLimitPerMinute: number | null;
    maxInFlightPerAccount: number;
    operatorToken: string | null;
  };
  dataDir: string;
  databaseUrl: string | null;
  redisUrl: string | null;
  /** Off: jobs run in this process even where a Redis could be started. */
  embeddedRedis: boolean;
  carrier: CarrierSettings | null;
  model: ModelSettings | null;
  /** In production the sandbox is refused without it. */
  allowSandbox: boolean;
  sandboxSpeed: number;
  outbound: { allowCidrs: string[] };
  calls: { aiDisclosure: boolean; ringTimeoutSeconds: number };
  webhooks: { retentionDays: number };
  logLevel: string;
}

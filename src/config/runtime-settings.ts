import type { CarrierSettings, ModelSettings, Settings } from './settings.types.js';

/**
 * The settings once every part runs: addresses that the environment left out are those of the parts that
 * the service started itself. `redisUrl` null: jobs run in this process.
 */
export abstract class RuntimeSettings implements Omit<
  Settings,
  'databaseUrl' | 'carrier' | 'model' | 'embeddedRedis'
> {
  /** Names the database, whatever its address is: keeps apart what shares a Redis. */
  abstract readonly instanceId: string;
  abstract readonly production: boolean;
  abstract readonly role: Settings['role'];
  abstract readonly http: Settings['http'];
  abstract readonly dataDir: string;
  abstract readonly databaseUrl: string;
  abstract readonly redisUrl: string | null;
  abstract readonly carrier: CarrierSettings;
  abstract readonly model: ModelSettings;
  abstract readonly allowSandbox: boolean;
  abstract readonly sandboxSpeed: number;
  abstract readonly outbound: Settings['outbound'];
  abstract readonly calls: Settings['calls'];
  abstract readonly webhooks: Settings['webhooks'];
  abstract readonly logLevel: string;
}

export const answersApi = (settings: Pick<Settings, 'role'>): boolean => settings.role !== 'worker';
export const runsJobs = (settings: Pick<Settings, 'role'>): boolean => settings.role !== 'api';

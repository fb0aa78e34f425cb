import { Module, type DynamicModule } from '@nestjs/common';
import type { EncryptionKey } from './encryption-keys.js';
import type { CarrierSettings, ModelSettings } from './env.dto.js';
import type { Settings } from './settings.js';

/** A base class with the properties of a type: `extends` takes no type, and Nest injects by class. */
const Unchanged = class {} as new () => Omit<
  Settings,
  'databaseUrl' | 'encryptionKeys' | 'carrier' | 'model' | 'embeddedRedis'
>;

/**
 * The settings of a running service, with the addresses of the parts that the service started itself. `redisUrl` null:
 * jobs run in this process.
 */
export abstract class RuntimeSettings extends Unchanged {
  /** Id of the database, independent of its address: separates installations that share a Redis. */
  abstract readonly instanceId: string;
  /** Of this process, unique: its connections to the database carry it. */
  abstract readonly processName: string;
  abstract readonly databaseUrl: string;
  /** At least one; the first one encrypts. */
  abstract readonly encryptionKeys: readonly EncryptionKey[];
  abstract readonly carrier: CarrierSettings;
  abstract readonly model: ModelSettings;
}

export const servesApi = (settings: Pick<Settings, 'role'>): boolean => settings.role !== 'worker';
export const runsJobs = (settings: Pick<Settings, 'role'>): boolean => settings.role !== 'api';

@Module({})
export class ConfigModule {
  static forRoot(settings: RuntimeSettings): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: RuntimeSettings, useValue: settings }],
      exports: [RuntimeSettings],
    };
  }
}

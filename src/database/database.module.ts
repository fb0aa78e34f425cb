import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { dataSourceOptions } from './data-source-options.js';
import { RestoreGateService } from './restore-gate.service.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [RuntimeSettings],
      useFactory: ({ databaseUrl, processName }: RuntimeSettings) => ({
        ...dataSourceOptions(databaseUrl, processName),
        autoLoadEntities: true,
        migrationsRun: false,
      }),
    }),
  ],
  providers: [
    RestoreGateService,
    {
      provide: DatabaseOutageService,
      inject: [RuntimeSettings],
      useFactory: ({ databaseUrl }: RuntimeSettings) => new DatabaseOutageService(databaseUrl),
    },
  ],
  exports: [DatabaseOutageService, RestoreGateService],
})
export class DatabaseModule {}

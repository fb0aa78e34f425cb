import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { dataSourceOptions } from './data-source-options.js';

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [RuntimeSettings],
      useFactory: ({ databaseUrl }: RuntimeSettings) => ({
        ...dataSourceOptions(databaseUrl),
        autoLoadEntities: true,
        migrationsRun: false,
      }),
    }),
  ],
})
export class DatabaseModule {}

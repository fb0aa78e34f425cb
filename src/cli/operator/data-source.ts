import { DataSource } from 'typeorm';
import type { Settings } from '#src/config/settings.js';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import {
  Language,
  LanguageModelEntry,
  SpeechProvider,
  Voice,
} from '#src/modules/catalog/entities/catalog.entities.js';
import { withDatabase } from './database.js';

/** Runs `work` with the entities of the catalogue, without an application. */
export function withDataSource<T>(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  work: (db: DataSource) => Promise<T>,
): Promise<T> {
  return withDatabase(settings, async ({ url }) => {
    const entities = [Language, LanguageModelEntry, SpeechProvider, Voice];
    const db = await new DataSource({ ...dataSourceOptions(url), entities }).initialize();
    return work(db).finally(() => db.destroy());
  });
}

import type { Pool } from 'pg';

/** Cached in memory, as in the service. */
export interface Catalogue {
  languageIds: ReadonlyMap<string, number>;
  languageNames: ReadonlyMap<number, string>;
  models: ReadonlyMap<string, { id: number; mode: string }>;
  multimodalIds: ReadonlySet<number>;
  voiceIds: ReadonlySet<number>;
}

export async function loadCatalogue(pool: Pool): Promise<Catalogue> {
  const languages = await pool.query<{ id: number; name: string }>('SELECT id, name FROM languages');
  const models = await pool.query<{ id: number; name: string; mode: string }>(
    'SELECT id, name, mode FROM language_models',
  );
  const voices = await pool.query<{ id: number }>('SELECT id FROM voices');
  return {
    languageIds: new Map(languages.rows.map(({ id, name }) => [name, id])),
    languageNames: new Map(languages.rows.map(({ id, name }) => [id, name])),
    models: new Map(models.rows.map(({ id, name, mode }) => [name, { id, mode }])),
    multimodalIds: new Set(models.rows.filter(({ mode }) => mode === 'multimodal').map(({ id }) => id)),
    voiceIds: new Set(voices.rows.map(({ id }) => id)),
  };
}

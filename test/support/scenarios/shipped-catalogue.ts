import {
  readCatalogue,
  type CatalogueEntry,
  type CatalogueSection,
} from '#src/database/seed/catalogue-file.js';
import { catalogueColumnsOf } from '#src/database/seed/catalogue-rows.js';
import { LANGUAGES } from '#src/database/seed/languages-and-plans.js';
import { Catalog, type SpeechProvider } from '#src/modules/catalog/catalog.js';

const file = readCatalogue(null);

const camelCase = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase());

/** The rows of a new installation, as its entities have them. */
function rowsOf(kind: CatalogueSection): object[] {
  const idOf = (name: unknown): number | null =>
    file[kind].find((entry) => entry['name'] === name)?.id ?? null;
  const languageOf = (entry: CatalogueEntry): number | null =>
    LANGUAGES.find(({ name }) => name === entry['language'])?.id ?? null;
  return file[kind].map((entry) => {
    const columns = {
      ...catalogueColumnsOf(kind, entry),
      id: entry.id,
      replaced_by_id: idOf(entry['replaced_by']),
      ...(kind === 'models' && { fallback_model_id: idOf(entry['fallback']) }),
      ...(kind === 'voices' && { language_id: languageOf(entry) }),
      warning: null,
      seeded: null,
    };
    return Object.fromEntries(Object.entries(columns).map(([name, value]) => [camelCase(name), value]));
  });
}

/** The catalogue of a new installation, as plain data. */
export const SHIPPED_CATALOGUE = new Catalog(
  LANGUAGES.map(({ iso_2, ...language }) => ({ ...language, iso2: iso_2 })),
  rowsOf('models') as Catalog['models'],
  rowsOf('voices') as Catalog['voices'],
  rowsOf('providers') as SpeechProvider[],
);

import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from 'typeorm';
import {
  catalogueKeyOf,
  readCatalogue,
  type CatalogueEntry,
  type CatalogueSection,
} from './catalogue-file.js';
import { CATALOGUE_TABLES, catalogueColumnsOf } from './catalogue-rows.js';
import { LANGUAGES, PLANS } from './languages-and-plans.js';

type Row = Record<string, unknown> & { id: number; seeded: Record<string, unknown> | null };

/** Ids from here on are given to entries without one, and to rows of operators. */
const FIRST_OWN_ID = 1_000;

/**
 * Updates languages, models, voices and speech providers to the release and to the operator's file. A column that
 * differs from what the last start wrote (`seeded`) was set by the operator and stays, and so do rows that no start
 * wrote, and plans.
 */
export async function seedCatalogue(db: DataSource, operatorFile: string | null): Promise<void> {
  const catalogue = readCatalogue(operatorFile);
  await writeLanguages(db);
  const languages: { id: number; name: string }[] = await db.query('SELECT id, name FROM languages');
  const languageIds = new Map(languages.map(({ id, name }) => [name.toLowerCase(), id]));
  for (const kind of ['models', 'voices', 'providers'] as const) {
    await seedKind(db, kind, catalogue[kind], languageIds);
  }
  await db.query(
    `INSERT INTO plans (name, max_tools, max_assistants, max_campaigns, max_leads_per_campaign, max_parallel_calls,
                        max_knowledge_bases, max_documents, max_document_megabytes, max_website_pages,
                        price_per_minute_micros)
     SELECT name, max_tools, max_assistants, max_campaigns, max_leads_per_campaign, max_parallel_calls,
            max_knowledge_bases, max_documents, max_document_megabytes, max_website_pages,
            price_per_minute_micros
       FROM jsonb_populate_recordset(NULL::plans, $1) ON CONFLICT (name) DO NOTHING`,
    [JSON.stringify(PLANS)],
  );
  await db.query(
    `INSERT INTO sms_prices (country, price_micros)
     SELECT NULL, 75000 WHERE NOT EXISTS (SELECT 1 FROM sms_prices WHERE country IS NULL)`,
  );
}

async function writeLanguages(db: DataSource): Promise<void> {
  await db.query(
    `INSERT INTO languages (id, name, iso_2, tag)
     SELECT id, name, iso_2, tag FROM jsonb_populate_recordset(NULL::languages, $1)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, iso_2 = excluded.iso_2, tag = excluded.tag`,
    [JSON.stringify(LANGUAGES)],
  );
}

async function seedKind(
  db: DataSource,
  kind: CatalogueSection,
  entries: readonly CatalogueEntry[],
  languageIds: ReadonlyMap<string, number>,
): Promise<void> {
  const { name: table, references } = CATALOGUE_TABLES[kind];
  const rows = await rowsOf(db, table);
  const found = entries.map((entry) => rowOf(kind, entry, rows));
  let nextId = Math.max(FIRST_OWN_ID - 1, ...rows.map(({ id }) => id)) + 1;
  const ids = new Set(rows.map(({ id }) => id));
  const added = entries
    .filter((_, index) => found[index] === undefined)
    .map((entry) => {
      const columns = catalogueColumnsOf(kind, entry);
      const id = entry.id !== undefined && !ids.has(entry.id) ? entry.id : nextId++;
      return { ...columns, id, seeded: columns };
    });
  if (added.length > 0) await insert(db, table, added);
  const all = added.length > 0 ? await rowsOf(db, table) : rows;
  const nameIn = (row: Record<string, unknown>, name: unknown): string =>
    (kind === 'providers' ? `${String(row['kind'])} ${String(name)}` : String(name)).toLowerCase();
  const idByName = new Map(all.map((row) => [nameIn(row, row['name']), row.id]));
  for (const entry of entries) {
    const row = rowOf(kind, entry, all);
    if (!row?.seeded) continue;
    const columns = catalogueColumnsOf(kind, entry);
    for (const { field, column, to } of references) {
      const name = entry[field] ?? null;
      const id =
        to === 'languages' ? languageIds.get(String(name).toLowerCase()) : idByName.get(nameIn(entry, name));
      if (name !== null && id === undefined) {
        const where = `${kind}: ${catalogueKeyOf(kind, entry)}: ${field}`;
        throw new Error(`The catalogue is not usable: ${where}: there is no ${String(name)}`);
      }
      columns[column] = id ?? null;
    }
    await update(db, table, row, columns);
  }
}

async function rowsOf(db: DataSource, table: string): Promise<Row[]> {
  const rows: { row: Row }[] = await db.query(`SELECT to_jsonb(entry) AS row FROM ${table} entry`);
  return rows.map(({ row }) => row);
}

/** The row that a start wrote for an entry, also with a changed key, else the row with its key. */
const rowOf = (kind: CatalogueSection, entry: CatalogueEntry, rows: readonly Row[]): Row | undefined =>
  rows.find(({ id, seeded }) => seeded !== null && id === entry.id) ??
  rows.find((row) => catalogueKeyOf(kind, row) === catalogueKeyOf(kind, entry));

async function insert(db: DataSource, table: string, rows: readonly object[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ');
  await db.query(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** Writes the values that the release has changed and the operator has not; most starts write nothing. */
async function update(
  db: DataSource,
  table: string,
  { id, seeded, ...row }: Row,
  columns: Record<string, unknown>,
): Promise<void> {
  const isSeeded = (column: string): boolean =>
    seeded !== null &&
    Object.hasOwn(seeded, column) &&
    isDeepStrictEqual(row[column], seeded[column]) &&
    !isDeepStrictEqual(row[column], columns[column]);
  const changed = Object.keys(columns).filter(isSeeded);
  if (changed.length === 0) return;
  const written = Object.fromEntries(changed.map((column) => [column, columns[column]]));
  await db.query(
    `UPDATE ${table} entry
        SET ${changed.map((column) => `${column} = given.${column}`).join(', ')}, seeded = entry.seeded || $2
       FROM jsonb_populate_record(NULL::${table}, $1) given WHERE entry.id = $3`,
    [JSON.stringify(written), JSON.stringify(written), id],
  );
}

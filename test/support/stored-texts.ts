import type pg from 'pg';

/** All rows in which one of the texts is, as the database writes them, by table. */
export async function rowsWith(db: pg.Pool, texts: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of await tablesOf(db)) {
    const { rows } = await db.query<{ text: string }>(
      `SELECT stored::text AS text FROM "${table}" AS stored WHERE stored::text LIKE ANY($1) ORDER BY 1`,
      [texts.map((text) => `%${text}%`)],
    );
    if (rows.length > 0) found[table] = rows.map(({ text }) => text);
  }
  return found;
}

/** Tables in which one of the texts is, and columns of bytes. */
export async function tablesWith(db: pg.Pool, texts: readonly string[]): Promise<string[]> {
  const tables = Object.keys(await rowsWith(db, texts));
  const { rows: columns } = await db.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'bytea'`,
  );
  for (const { table, column } of columns) {
    const { rows } = await db.query(
      `SELECT 1 FROM "${table}" WHERE EXISTS (
         SELECT FROM unnest($1::text[]) AS text WHERE position(convert_to(text, 'UTF8') IN "${column}") > 0)`,
      [texts],
    );
    if (rows.length > 0) tables.push(`${table}.${column}`);
  }
  return tables;
}

async function tablesOf(db: pg.Pool): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

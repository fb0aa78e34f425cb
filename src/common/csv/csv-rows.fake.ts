import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCsvRows } from './csv-rows.js';

/** The rows of a file with this content: its line, then its values or, after `!`, its problem. */
export async function rowsOf(content: string | Buffer): Promise<[number, ...string[]][]> {
  const folder = await mkdtemp(join(tmpdir(), 'csv-rows-'));
  try {
    const path = join(folder, 'file.csv');
    await writeFile(path, content);
    const rows: [number, ...string[]][] = [];
    for await (const row of readCsvRows(path)) {
      rows.push('problem' in row ? [row.line, `! ${row.problem}`] : [row.line, ...row.values]);
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

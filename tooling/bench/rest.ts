/** npm run bench -- rest [--only throughput|leads|calls|lead-pages]: the REST API compared with hand-written handlers on the same SQL. */
import { callPages, leadPages } from './rest/list-pages.js';
import { leadStream } from './rest/lead-stream.js';
import { throughput } from './rest/throughput.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import type { Finding } from './support/findings.js';

const PARTS: Record<string, (database: BenchDatabase) => Promise<Finding[]>> = {
  throughput,
  leads: leadStream,
  calls: callPages,
  'lead-pages': leadPages,
};

export const parts = Object.keys(PARTS);

export async function run(only?: string): Promise<Finding[]> {
  const database = await openDatabase();
  const findings: Finding[] = [];
  try {
    for (const [name, measure] of Object.entries(PARTS)) {
      if (only === undefined || only === name) findings.push(...(await measure(database)));
    }
    return findings;
  } finally {
    await database.close();
  }
}

/**
 * npm run bench -- dialer [--only <part>]: the cost of a campaign's calls, and the number of calls that one worker
 * places.
 */
import { openDatabase, type BenchDatabase } from './support/database.js';
import type { Finding } from './support/findings.js';
import { campaignPage } from './dialer/campaign-page.js';
import { claims } from './dialer/claims.js';
import { idle } from './dialer/idle.js';
import { placed } from './dialer/placed.js';
import { statements } from './dialer/statements.js';

/** Each with a separate database. */
const PARTS: Record<string, (database: BenchDatabase) => Promise<Finding[]>> = {
  statements,
  placed,
  claims,
  idle,
  page: campaignPage,
};

export const parts = Object.keys(PARTS);

export async function run(only?: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (only !== undefined && only !== name) continue;
    const database = await openDatabase();
    try {
      findings.push(...(await measure(database)));
    } finally {
      await database.close();
    }
  }
  return findings;
}

/**
 * npm run bench -- scale: requests and jobs beside `BENCH_LARGE` (10 million) calls and as many leads, compared with
 * `BENCH_SMALL` (1 million). Each size has a separate database, because indexes are shared by all rows. 10 million
 * take about 30 GB.
 */
import { atMost, noted, type Finding } from './support/findings.js';
import { inTurns } from './support/in-turns.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import { positive } from './support/pace.js';
import { say } from './support/progress.js';
import { fillInstallation, type Installation } from './scale/fill-installation.js';
import { measuresOf } from './scale/measures.js';

const SMALL = positive('BENCH_SMALL', 1_000_000);
const LARGE = positive('BENCH_LARGE', 10_000_000);
const FACTOR = 1.5;

export async function run(): Promise<Finding[]> {
  const databases: BenchDatabase[] = [];
  const open = async (rows: number): Promise<Installation> => {
    const database = await openDatabase();
    databases.push(database);
    return fillInstallation(database, rows);
  };
  try {
    const small = await open(SMALL);
    const large = await open(LARGE);
    return await compare(small, large);
  } finally {
    for (const database of databases) await database.close();
  }
}

async function compare(small: Installation, large: Installation): Promise<Finding[]> {
  const sizes = `${LARGE.toLocaleString('en-US')} to ${SMALL.toLocaleString('en-US')} calls and leads`;
  const findings = [
    noted(`${sizes}: time to fill`, 's', large.seconds, small.seconds),
    ...Object.entries(large.gigabytes).map(([name, own]) =>
      noted(`${sizes}: size of ${name}`, 'GB', own, small.gigabytes[name]),
    ),
  ];
  const [ofSmall, ofLarge] = [await measuresOf(small), await measuresOf(large)];
  try {
    for (const [name, own] of Object.entries(ofLarge.measures)) {
      say(`scale: ${name}`);
      const peer = ofSmall.measures[name];
      if (!peer) throw new Error(`${name} is not measured in the smaller database`);
      const finding = atMost(`${sizes}: ${name}`, 'ms', FACTOR, await inTurns({ peer, own }));
      say(`  ${finding.peer?.toFixed(2)} ms, ${finding.own.toFixed(2)} ms`);
      findings.push(finding);
    }
    return findings;
  } finally {
    await ofLarge.stop();
    await ofSmall.stop();
  }
}

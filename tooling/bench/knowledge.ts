/**
 * npm run bench -- knowledge --manual <folder> [--only recall|speed]: a manual is read as a website; its search is
 * compared with MiniSearch, BM25 in memory, over the same chunks. The folder has the HTML pages of PostgreSQL 15's
 * manual, for example those of Debian's package postgresql-doc-15: to them the questions belong.
 */
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import { CpuTreeMeter } from '../faults/support/cpu-meter.js';
import { measureBursts } from './knowledge/bursts.js';
import { copyDocuments } from './knowledge/copy-documents.js';
import { fullText, fusedEngine, miniSearchEngine, serviceEngine, type Engine } from './knowledge/engines.js';
import { LocalEmbeddings } from './knowledge/fused.js';
import { ingest } from './knowledge/ingestion.js';
import { ManualSite } from './knowledge/manual-site.js';
import { readQuestions, recall } from './knowledge/questions.js';
import { anAccount } from './support/account.js';
import type { BenchOptions } from './support/bench-options.js';
import { openDatabase, type BenchDatabase } from './support/database.js';
import { above, below, noted, type Finding } from './support/findings.js';
import { ROUNDS } from './support/pace.js';
import { say } from './support/progress.js';
import { startService } from './support/service.js';

const MIN_RECALL = 0.8;
const RESULTS = 5;
const CHUNKS = 20_000;
const AT_ONCE = 50;
const BURSTS = 10;
/** What retrieval adds to a turn. */
const MAX_ALONE_P95_MS = 20;
const MAX_P95_MS = 50;
const MAX_FUSED_P95_MS = 150;

export const parts = ['recall', 'speed'];

export async function run(only?: string, { manual = null }: BenchOptions = {}): Promise<Finding[]> {
  if (manual === null) throw new Error('--manual <folder> is missing: the HTML pages of PostgreSQL 15');
  const database = await openDatabase();
  const site = await ManualSite.open(manual);
  const vectors = await LocalEmbeddings.open();
  try {
    const { baseId, findings } = await ingestManual(database, site);
    const db = await new DataSource(dataSourceOptions(database.url)).initialize();
    try {
      await database.pool.query('VACUUM ANALYZE');
      if (only !== 'speed') findings.push(...(await measureRecall(database, db, baseId, vectors)));
      if (only !== 'recall') findings.push(...(await measureSpeed(database, db, baseId, vectors)));
      return findings;
    } finally {
      await db.destroy();
    }
  } finally {
    site.close();
    await vectors.close();
    await database.close();
  }
}

async function ingestManual(database: BenchDatabase, site: ManualSite) {
  const account = await anAccount(database.pool, 'knowledge');
  const service = await startService(database, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
  try {
    return await ingest(service, account, site.links);
  } finally {
    await service.stop();
  }
}

async function measureRecall(
  database: BenchDatabase,
  db: DataSource,
  baseId: number,
  vectors: LocalEmbeddings,
): Promise<Finding[]> {
  const questions = readQuestions();
  const own = serviceEngine(fullText(db), baseId);
  const peer = await miniSearchEngine(db, baseId);
  const [tuned, tunedPeer] = [
    await recall(own, questions.tuning, RESULTS),
    await recall(peer, questions.tuning, RESULTS),
  ];
  const [held, heldPeer] = [
    await recall(own, questions.held, RESULTS),
    await recall(peer, questions.held, RESULTS),
  ];
  return [
    noted(`recall@${RESULTS}, 50 questions for tuning; MiniSearch`, '', tuned, tunedPeer),
    above(`recall@${RESULTS}, 50 questions held apart`, '', MIN_RECALL, held),
    above(`recall@${RESULTS}, 50 questions held apart, above MiniSearch`, '', 0, held - heldPeer),
    ...(await measureFused(database, db, baseId, vectors, held)),
  ];
}

async function measureFused(
  database: BenchDatabase,
  db: DataSource,
  baseId: number,
  vectors: LocalEmbeddings,
  fullTextRecall: number,
): Promise<Finding[]> {
  say('knowledge: passages are embedded');
  const seconds = await vectors.embedBases(database);
  const { tuning, held } = readQuestions();
  const engine = fusedEngine(await vectors.search(db, baseId), baseId);
  const fusedTuning = await recall(engine, tuning, RESULTS);
  const fused = await recall(engine, held, RESULTS);
  return [
    noted('embedding of the manual by a local server', 's', seconds),
    noted(`recall@${RESULTS}, 50 questions for tuning, fused with the sandbox's vectors`, '', fusedTuning),
    above(
      `recall@${RESULTS}, 50 questions held apart, fused with the sandbox's vectors`,
      '',
      fullTextRecall,
      fused,
    ),
  ];
}

async function measureSpeed(
  database: BenchDatabase,
  db: DataSource,
  baseId: number,
  vectors: LocalEmbeddings,
): Promise<Finding[]> {
  const chunks = await copyDocuments(database.pool, baseId, CHUNKS);
  say(`knowledge: ${chunks} passages are embedded`);
  await vectors.embedBases(database);
  await database.pool.query('VACUUM ANALYZE');
  const { tuning, held } = readQuestions();
  const questions = [...tuning, ...held].map(({ question }) => question);
  const own = serviceEngine(fullText(db), baseId);
  const fused = fusedEngine(await vectors.search(db, baseId), baseId);
  const cpu = new CpuTreeMeter(await database.serverPid());
  const measure = (engine: Engine, atOnce: number, bursts = BURSTS) =>
    measureBursts(engine, questions, atOnce, bursts, cpu);
  for (const engine of [own, fused]) await measure(engine, AT_ONCE);
  const findings: Finding[] = [noted('chunks of the base', '', chunks)];
  const rounds: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    say(`knowledge: searches, round ${round} of ${ROUNDS}`);
    const alone = await measure(own, 1, questions.length);
    const times = await measure(own, AT_ONCE);
    const fusedTimes = await measure(fused, AT_ONCE);
    rounds.push(times.p95);
    const many = `${AT_ONCE} searches at once, round ${round}`;
    const fusedMany = `${AT_ONCE} fused searches at once, round ${round}`;
    findings.push(
      below(`search alone, round ${round}: p95`, 'ms', MAX_ALONE_P95_MS, alone.p95),
      below(`${many}: p95`, 'ms', MAX_P95_MS, times.p95),
      noted(`${many}: CPU time of one`, 'ms', times.cpu),
      below(`${fusedMany}: p95`, 'ms', MAX_FUSED_P95_MS, fusedTimes.p95),
      noted(`${fusedMany}: CPU time of one`, 'ms', fusedTimes.cpu),
    );
  }
  findings.push(
    above('share of fused searches in which vectors have found a passage', '', 0.8, fused.share()),
  );
  // Last: the peer's index, in the memory of this process, makes every other search slower.
  const peer = await miniSearchEngine(db, baseId);
  await measure(peer, AT_ONCE, 1);
  const peerTimes = await measure(peer, AT_ONCE, ROUNDS);
  const best = Math.min(...rounds);
  return [...findings, noted(`${AT_ONCE} searches at once: best p95; MiniSearch`, 'ms', best, peerTimes.p95)];
}

/**
 * npm run faults -- disk [--broken]: fills the disk of the private Postgres under load. No acknowledged write may be
 * lost, the service must recover when space is available again, and the ledger must be correct.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findRunningPostgres, startEmbeddedPostgres } from '#src/embedded/embedded-postgres.js';
import { anAccount } from '../../test/factories/account.js';
import { anAssistant } from '../../test/factories/assistant.js';
import { aCampaign } from '../../test/factories/campaign.js';
import { DiskWriter } from './disk/disk-writer.js';
import { diskProblems, type DiskRun } from './disk/verify-disk.js';
import { SmallDisk } from './disk/small-disk.js';
import { SupervisedService } from './disk/supervised-service.js';
import { AccountQueries } from './support/account-queries.js';
import { conclude } from './support/conclude.js';
import { isBroken, say } from './support/run-options.js';
import { SandboxProcess } from '../harness/sandbox-process.js';

const DISK_MB = 256;
/** Free space that the load fills. */
const LEFT_BYTES = 6 * 1024 * 1024;
const LOOPS = 8;
const BEFORE_MS = 5_000;
const FULL_MS = 20_000;
const RECOVERY_MS = 60_000;
const AFTER_MS = 5_000;

/** Variants of `--broken`. */
export const BROKEN = { loses: true };

export async function run(args: string[]): Promise<void> {
  const broken = isBroken(args);
  const disk = SmallDisk.mount(DISK_MB);
  if (disk === null) return say('skipped: this process may not mount a file system');
  const stops: (() => Promise<unknown>)[] = [async () => disk.unmount()];
  try {
    const service = await startOn(disk, stops);
    const found = await fillAndRecover(disk, service, broken);
    conclude(diskProblems(found), { broken, planted: /is lost$/ });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** The sandbox is on another disk. */
async function startOn(disk: SmallDisk, stops: (() => Promise<unknown>)[]): Promise<SupervisedService> {
  const elsewhere = mkdtempSync(join(tmpdir(), 'calls-faults-'));
  stops.push(async () => rmSync(elsewhere, { recursive: true, force: true }));
  const sandbox = await SandboxProcess.start(elsewhere);
  stops.push(() => sandbox.stop());
  const service = await SupervisedService.start({
    ...sandbox.serviceEnv,
    DATA_DIR: disk.path,
    LOG_LEVEL: 'info',
  });
  stops.push(() => service.stop());
  return service;
}

async function fillAndRecover(
  disk: SmallDisk,
  service: SupervisedService,
  broken: boolean,
): Promise<DiskRun> {
  process.env.E2E_BASE_URL = service.url;
  const writer = await openWriter(disk, service.url);
  writer.start(LOOPS);
  await sleep(BEFORE_MS);
  const before = new Map(writer.statuses);
  disk.fill(LEFT_BYTES);
  await sleep(FULL_MS);
  const whileFull = difference(writer.statuses, before);
  say(`while full: ${JSON.stringify([...whileFull])}, ${disk.freeBytes()} bytes free`);
  disk.release();
  const recoveredMs = await recovery(writer, Date.now());
  await sleep(AFTER_MS);
  await writer.stop();
  say(`in all: ${JSON.stringify([...writer.statuses])}; the service ended by itself ${service.ends} times`);
  say(`written again ${recoveredMs ?? 'never'} ms after there was space`);
  await service.stop();
  const { acknowledged, misshapen } = writer;
  return { acknowledged, misshapen, whileFull, recoveredMs, ...(await readDatabase(disk, writer, broken)) };
}

async function openWriter(disk: SmallDisk, url: string): Promise<DiskWriter> {
  const database = findRunningPostgres(disk.path);
  if (database === null) throw new Error('the private Postgres does not run');
  const db = new pg.Pool({ connectionString: database.url, max: 1 });
  try {
    const account = await anAccount({ balance: 100_000, service: { db, root: `${url}/api` } });
    const campaign = await aCampaign(account, { assistant_id: await anAssistant(account) });
    return new DiskWriter(url, account, campaign);
  } finally {
    await db.end();
  }
}

async function recovery(writer: DiskWriter, since: number): Promise<number | null> {
  for (; Date.now() < since + RECOVERY_MS; await sleep(50)) {
    if (writer.lastSuccess > since) return writer.lastSuccess - since;
  }
  return null;
}

/** Reads the database after the service has stopped. */
async function readDatabase(
  disk: SmallDisk,
  { acknowledged }: DiskWriter,
  broken: boolean,
): Promise<Pick<DiskRun, 'stored' | 'auditFindings'>> {
  const postgres = await startEmbeddedPostgres({ dataDir: disk.path, log: () => undefined });
  const db = new pg.Pool({ connectionString: postgres.url, max: 1 });
  // Its idle connection ends with the server.
  db.on('error', () => undefined);
  const queries = await AccountQueries.open(postgres.url);
  try {
    const lead = acknowledged.find(({ kind }) => kind === 'lead');
    if (broken) await db.query('DELETE FROM leads WHERE id = $1', [lead?.id]);
    const ids = async (table: 'leads' | 'sms_messages'): Promise<Set<number>> => {
      const { rows } = await db.query<{ id: number }>(`SELECT id FROM ${table}`);
      return new Set(rows.map(({ id }) => Number(id)));
    };
    const stored = { lead: await ids('leads'), message: await ids('sms_messages') };
    say(
      `${acknowledged.length} writes were acknowledged; ` +
        `${stored.lead.size} leads and ${stored.message.size} messages are stored`,
    );
    return { stored, auditFindings: await queries.audit() };
  } finally {
    await queries.close();
    await db.end();
    await postgres.stop();
  }
}

const difference = (
  later: ReadonlyMap<number, number>,
  earlier: ReadonlyMap<number, number>,
): Map<number, number> =>
  new Map(
    [...later]
      .map(([status, count]): [number, number] => [status, count - (earlier.get(status) ?? 0)])
      .filter(([, count]) => count > 0),
  );

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { transformFileSync } from '@swc/core';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { until } from '../../test/support/until.js';
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
import { findRunningRedis, startEmbeddedRedis } from './embedded-redis.js';
import { inspectProcess, processRefOf, stopProcess } from './processes.js';

/** Only ends what hangs, on any machine. */
const PATIENCE_MS = 300_000;

/** What a service does: starts the servers, says how to reach it, and works on until it is told to stop. */
const OWNER_PROGRAM = `
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { startEmbeddedRedis } from './embedded-redis.js';
const options = { dataDir: process.argv[2], log: () => undefined };
const server = await startEmbeddedPostgres(options);
const redis = await startEmbeddedRedis(options);
process.on('SIGTERM', () => Promise.all([server.stop(), redis?.stop()]).then(() => process.exit(0)));
process.on('SIGUSR2', () => process.exit(3));
setInterval(() => undefined, 1000);
console.log(server.url);
`;

describe('a server whose owner terminates', () => {
  let base: string;
  let dataDir: string;
  let owner: ChildProcess;
  let url: string;
  let postmaster: number;
  /** Null on a machine without Redis. */
  let redis: number | null;

  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), 'orphans-'));
    chmodSync(base, 0o755);
    dataDir = join(base, 'data');
    owner = spawn(process.execPath, [writeProgram(join(base, 'program')), dataDir], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    url = String((await once(owner.stdout ?? owner, 'data'))[0]).trim();
    postmaster = findRunningPostgres(dataDir)?.pid ?? 0;
    redis = findRunningRedis(dataDir)?.pid ?? null;
  });

  afterEach(async () => {
    owner.kill('SIGKILL');
    await stopProcess(processRefOf(postmaster), [{ signal: 'SIGQUIT', waitMs: PATIENCE_MS }]);
    if (redis) await stopProcess(processRefOf(redis), [{ signal: 'SIGTERM', waitMs: PATIENCE_MS }]);
    rmSync(base, { recursive: true, force: true });
  });

  async function endOwner(signal: NodeJS.Signals): Promise<void> {
    const ended = once(owner, 'exit');
    owner.kill(signal);
    await ended;
  }

  it.each(['with its record', 'without its record'])('is stopped and started again (%s)', async (record) => {
    await run(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await endOwner('SIGKILL');
    expect(inspectProcess(postmaster)?.command).toContain('postgres');
    expect(findRunningPostgres(dataDir)).toBeNull();
    if (record === 'without its record') rmSync(join(dataDir, 'postgres.json'));

    const lines: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
    expect(inspectProcess(postmaster)).toBeNull();
    expect(lines).toEqual([expect.stringContaining(String(postmaster))]);
    expect(await run(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await server.stop();
  });

  it('is stopped and started again (Redis)', async () => {
    await endOwner('SIGKILL');
    expect(findRunningRedis(dataDir)).toBeNull();
    const server = await startEmbeddedRedis({ dataDir, log: () => undefined });
    expect(server === null).toBe(redis === null);
    if (redis) expect(inspectProcess(redis)).toBeNull();
    await server?.stop();
  });

  it('ends with an owner that exits without stopping it', async () => {
    await endOwner('SIGUSR2');
    await until(async () => inspectProcess(postmaster) === null);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down');
  });

  it('ends with an owner that stops it', async () => {
    await endOwner('SIGTERM');
    expect(inspectProcess(postmaster)).toBeNull();
    if (redis) expect(inspectProcess(redis)).toBeNull();
  });
});

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** These modules as plain JavaScript, for a process of its own that can really be killed. */
function writeProgram(dir: string): string {
  mkdirSync(dir);
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  symlinkSync(join(process.cwd(), 'node_modules'), join(dir, 'node_modules'));
  for (const name of readdirSync(import.meta.dirname)) {
    if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
    const { code } = transformFileSync(join(import.meta.dirname, name), { swcrc: true });
    writeFileSync(join(dir, name.replace(/\.ts$/, '.js')), code);
  }
  writeFileSync(join(dir, 'owner.js'), OWNER_PROGRAM);
  return join(dir, 'owner.js');
}

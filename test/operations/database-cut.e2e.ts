import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { anAccount } from '../factories/account.js';
import { database, databaseUrl } from '../support/database.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const CUTS = 25;

it('keeps working when the database closes its connections during requests', async () => {
  const name = `cut_${randomBytes(6).toString('hex')}`;
  await database().query(`CREATE DATABASE ${name}`);
  const url = new URL(databaseUrl());
  url.pathname = `/${name}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'calls-cut-'));
  const service = await startService({ DATABASE_URL: url.href, DATA_DIR: dataDir });
  const db = new pg.Pool({ connectionString: url.href, max: 1 });
  db.on('error', () => undefined);
  try {
    const { token } = await anAccount({ service: { db, root: `${service.url}/api` } });
    const answers: number[] = [];
    let working = true;
    const work = async (path: string, body?: object): Promise<void> => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      while (working) {
        const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
        const answer = await fetch(`${service.url}/api/user/${path}`, request);
        await answer.text().catch(() => '');
        answers.push(answer.status);
      }
    };
    const workers = [
      work('leads'),
      work('calls'),
      work('me'),
      work('suppressions', { phone_number: '+15005550024' }),
      work('tools', { name: 'a', description: 'b', endpoint: 'https://example.com', method: 'GET' }),
    ].map((worker) => worker.catch(() => undefined));
    for (let cut = 0; cut < CUTS; cut++) {
      const seen = answers.length;
      await until(async () => answers.length > seen || service.process.exitCode !== null);
      await database().query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [
        name,
      ]);
    }
    working = false;
    await Promise.all(workers);
    expect(service.process.exitCode).toBeNull();
    await until(async () => (await fetch(`${service.url}/health/ready`)).status === 200);
  } finally {
    await db.end();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);

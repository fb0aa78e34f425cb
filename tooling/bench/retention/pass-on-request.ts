/**
 * node --import pass-on-request.js dist/src/main.js: the unchanged service, whose pass also runs when a notification
 * asks for it. Its answer has the work by kind and the statements; BEGIN and COMMIT are not counted.
 */
import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { RetentionPassService } from '#src/modules/retention/retention-pass.service.js';
import {
  RetentionRegistryService,
  type RetentionWork,
} from '#src/modules/retention/retention-registry.service.js';
import { PASS_ASKED, PASS_DONE, type PassWork } from './passes.js';

const IS_FRAME = /^\s*(begin|start transaction|commit|rollback)/i;

const passes = new AsyncLocalStorage<PassWork>();
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });

const { onApplicationBootstrap, beforeApplicationShutdown } = RetentionPassService.prototype;
RetentionPassService.prototype.onApplicationBootstrap = function () {
  void listen(this);
  onApplicationBootstrap.call(this);
};
RetentionPassService.prototype.beforeApplicationShutdown = async function () {
  await client.end();
  await beforeApplicationShutdown.call(this);
};

async function listen(service: RetentionPassService): Promise<void> {
  await client.connect();
  client.on('notification', ({ payload = '' }) => void answer(service, new Date(payload)));
  await client.query(`LISTEN ${PASS_ASKED}`);
}

async function answer(service: RetentionPassService, now: Date): Promise<void> {
  const work: PassWork = { statements: 0, kinds: {} };
  await passes.run(work, () => service.clearAll(new AbortController().signal, now));
  await client.query('SELECT pg_notify($1, $2)', [PASS_DONE, JSON.stringify(work)]);
}

const { find } = RetentionRegistryService.prototype;
RetentionRegistryService.prototype.find = function (kind) {
  const work = find.call(this, kind);
  const pass = passes.getStore();
  if (!work || !pass) return work;
  const counted: RetentionWork = async (tx, scope) => {
    const began = performance.now();
    const rows = await work(tx, scope);
    const sum = (pass.kinds[kind] ??= { rows: 0, batches: 0, ms: 0 });
    sum.rows += rows;
    sum.batches++;
    sum.ms += performance.now() - began;
    return rows;
  };
  return counted;
};

type Query = (this: unknown, ...args: unknown[]) => unknown;
const prototype = pg.Client.prototype as unknown as { query: Query };
const { query } = prototype;
prototype.query = function (...args) {
  const pass = passes.getStore();
  const [first] = args as [string | { text?: string }];
  if (pass && !IS_FRAME.test(typeof first === 'string' ? first : (first.text ?? ''))) pass.statements++;
  return query.apply(this, args);
};

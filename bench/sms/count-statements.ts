/**
 * node --import count-statements.js <server>: the unchanged server, which also counts its statements, those of
 * transactions (BEGIN, COMMIT) apart, and writes them and its CPU time to the file at BENCH_STATEMENTS.
 */
import { renameSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import type { Work } from './work.js';

const WRITE_EVERY_MS = 100;
const IS_FRAME = /^\s*(begin|start transaction|commit|rollback)/i;

const work: Work = { at: 0, statements: 0, frames: 0, cpuMs: 0 };

type Query = (this: unknown, ...args: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: Query };
const { query } = client;
client.query = function (...args) {
  const [first] = args as [string | { text?: string }];
  const text = typeof first === 'string' ? first : (first.text ?? '');
  if (IS_FRAME.test(text)) work.frames++;
  else work.statements++;
  return query.apply(this, args);
};

const file = process.env.BENCH_STATEMENTS;
if (!file) throw new Error('BENCH_STATEMENTS names the file to write to');

setInterval(() => {
  const { user, system } = process.cpuUsage();
  Object.assign(work, { at: Date.now(), cpuMs: (user + system) / 1000 });
  // Renamed, so that a reader finds it whole.
  writeFileSync(`${file}.new`, JSON.stringify(work));
  renameSync(`${file}.new`, file);
}, WRITE_EVERY_MS).unref();

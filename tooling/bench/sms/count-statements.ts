/**
 * node --import count-statements.js <server>: the unchanged server with a count of its statements, those of
 * transactions (BEGIN, COMMIT) apart; reports the counts and its CPU time on request.
 */
import pg from 'pg';
import { ownCpuMs, reportOnRequest } from '../support/report-on-request.js';
import type { Work } from './work.js';

const IS_FRAME = /^\s*(begin|start transaction|commit|rollback)/i;

const work = { statements: 0, frames: 0 };

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

reportOnRequest((): Work => ({ ...work, cpuMs: ownCpuMs() }));

import { atMost, below, noted, type Finding } from '../support/findings.js';
import { median, quantile } from '../support/stats.js';
import type { Differences } from './exactness.js';
import type { Neighbour } from './neighbour.js';
import type { Passed } from './passes.js';
import type { Simulation } from './simulation.js';

const MOST_TIMES = 5;

export function findingsOf({ checks, passed }: Simulation, neighbour: Neighbour): Finding[] {
  const [first, ...ofDays] = passed;
  if (!first) throw new Error('there was no pass');
  const inAll = (of: (check: Differences) => number): number => sum(checks.map(of));
  const recounted = `${checks.length} passes recounted`;
  const both = (share: number) => ({
    peer: quantile(neighbour.times('quiet'), share),
    own: quantile(neighbour.times('pass'), share),
  });
  const [half, longest] = [both(0.5), both(1)];
  return [
    below(
      `${recounted}: rows that still have what is due`,
      '',
      0,
      inAll(({ left }) => left),
    ),
    below(
      `${recounted}: tables with a change of what stays`,
      '',
      0,
      inAll(({ changed }) => changed),
    ),
    below(
      `${recounted}: changes of sums, costs and ledger`,
      '',
      0,
      inAll(({ sums }) => sums),
    ),
    atMost(
      "p99 of the other account's requests, during passes to between them",
      'ms',
      MOST_TIMES,
      both(0.99),
    ),
    noted('p50 of them', 'ms', half.own, half.peer),
    noted('the longest of them', 'ms', longest.own, longest.peer),
    noted('their number', '', neighbour.times('pass').length, neighbour.times('quiet').length),
    ...costs('the first pass', [first]),
    ...(ofDays.length === 0 ? [] : costs('a pass of a day', ofDays)),
  ];
}

function costs(what: string, passes: readonly Passed[]): Finding[] {
  const rows = (pass: Passed): number => sum(Object.values(pass.kinds).map((kind) => kind.rows));
  const all = sum(passes.map(rows));
  const per1000 = (of: (pass: Passed) => number): number => (sum(passes.map(of)) * 1000) / all;
  return [
    noted(what, 's', median(passes.map(({ seconds }) => seconds))),
    noted(`${what}: rows of all kinds`, '', all / passes.length),
    noted(`${what}: rows per second`, '/s', all / sum(passes.map(({ seconds }) => seconds))),
    noted(
      `${what}: statements for 1,000 rows`,
      '',
      per1000(({ statements }) => statements),
    ),
    noted(
      `${what}: CPU of the service for 1,000 rows, with the requests`,
      'ms',
      per1000(({ cpuMs }) => cpuMs),
    ),
    noted(
      `${what}: CPU of the database for 1,000 rows, with the requests`,
      'ms',
      per1000(({ databaseMs }) => databaseMs),
    ),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

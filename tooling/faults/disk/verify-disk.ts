/** A row that the service acknowledged. */
export interface Acknowledged {
  kind: 'lead' | 'message';
  id: number;
}

export interface DiskRun {
  acknowledged: readonly Acknowledged[];
  /** Ids in the database after the run. */
  stored: Record<Acknowledged['kind'], ReadonlySet<number>>;
  /** Responses by status while the disk was full; 0: none. */
  whileFull: ReadonlyMap<number, number>;
  misshapen: readonly string[];
  /** Time from free space to the next acknowledged write; null without one. */
  recoveredMs: number | null;
  auditFindings: readonly string[];
}

const MIN_ACKNOWLEDGED = 100;

export function diskProblems(run: DiskRun): string[] {
  const { acknowledged, stored, whileFull } = run;
  const answered = [...whileFull].filter(([status]) => status !== 0);
  const odd = answered.filter(([status]) => status >= 300 && status < 500 && status !== 429);
  const refused = [...whileFull].some(([status]) => status === 0 || status >= 500);
  return [
    ...acknowledged
      .filter(({ kind, id }) => !stored[kind].has(id))
      .map(({ kind, id }) => `${kind} ${id} was acknowledged and is lost`),
    ...odd.map(([status, count]) => `${count} requests were answered ${status} on a full disk`),
    ...run.misshapen.map((answer) => `not in the contract's shape: ${answer}`),
    ...(run.recoveredMs === null ? ['nothing was written any more when there was space again'] : []),
    ...run.auditFindings,
    // A run without a full disk must not pass.
    ...(refused ? [] : ['the disk was never full']),
    ...(acknowledged.length < MIN_ACKNOWLEDGED
      ? [`only ${acknowledged.length} writes were acknowledged`]
      : []),
  ];
}

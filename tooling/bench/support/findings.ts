/** One line of the printed table. Numbers are rounded when printed. */
export interface Finding {
  what: string;
  target: string;
  unit: string;
  /** The reference value: the peer's, or the value at a smaller size. */
  peer?: number;
  own: number;
  ratio?: number;
  /** Null: a measurement without a target. */
  met: boolean | null;
}

interface Pair {
  peer: number;
  own: number;
}

/** Higher is better: at least `share` of the peer. */
export function atLeast(what: string, unit: string, share: number, { peer, own }: Pair): Finding {
  const ratio = own / peer;
  return { what, target: `≥ ${share.toFixed(2)} ×`, unit, peer, own, ratio, met: ratio >= share };
}

/** Lower is better: at most `factor` times the peer. */
export function atMost(what: string, unit: string, factor: number, { peer, own }: Pair): Finding {
  const ratio = own / peer;
  return { what, target: `≤ ${factor.toFixed(2)} ×`, unit, peer, own, ratio, met: ratio <= factor };
}

export const below = (what: string, unit: string, limit: number, own: number): Finding => ({
  what,
  target: `≤ ${limit} ${unit}`,
  unit,
  own,
  met: own <= limit,
});

export const above = (what: string, unit: string, limit: number, own: number): Finding => ({
  what,
  target: `≥ ${limit} ${unit}`,
  unit,
  own,
  met: own >= limit,
});

/** A figure without a target. */
export const noted = (what: string, unit: string, own: number, peer?: number): Finding => ({
  what,
  target: '',
  unit,
  own,
  ...(peer === undefined ? {} : { peer, ratio: own / peer }),
  met: null,
});

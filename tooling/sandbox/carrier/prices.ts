import type { CallDirection } from './call-record.js';

/** US dollars per started minute, by prefix of the number; the longest match counts. */
const PER_MINUTE: Record<string, number> = {
  '+1': 0.014,
  '+33': 0.022,
  '+44': 0.0158,
  '+49': 0.0163,
  '+61': 0.0252,
};
const PER_MINUTE_ELSEWHERE = 0.05;
const PER_MINUTE_INBOUND = 0.0085;
const PER_SEGMENT = 0.0079;

/** A price is not available at the end of a call: milliseconds until the REST API returns it. */
export const PRICE_DELAY_MS = 200;

export function callPrice(direction: CallDirection, to: string, durationSeconds: number): string {
  const rate = direction === 'inbound' ? PER_MINUTE_INBOUND : destinationRate(to);
  return charge(rate * Math.max(1, Math.ceil(durationSeconds / 60)));
}

export function messagePrice(segments: number): string {
  return charge(PER_SEGMENT * segments);
}

/** The carrier returns charges as negative amounts. */
function charge(amount: number): string {
  return (-amount).toFixed(5);
}

function destinationRate(to: string): number {
  const [best] = Object.keys(PER_MINUTE)
    .filter((prefix) => to.startsWith(prefix))
    .sort((a, b) => b.length - a.length);
  return (best !== undefined ? PER_MINUTE[best] : undefined) ?? PER_MINUTE_ELSEWHERE;
}

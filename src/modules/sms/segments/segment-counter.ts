/** 3GPP TS 23.038, section 6.2.1: the characters of the default alphabet, one septet each. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** Section 6.2.1.1: characters that are an escape and a second septet. */
const EXTENSION = new Set('\f^{}\\[~]|€');

/** Units that fit: into a lone message, and into each part of a longer one, whose header takes six bytes. */
const CAPACITY = {
  'gsm-7': { single: 160, part: 153 },
  'ucs-2': { single: 70, part: 67 },
} as const;

export interface SegmentCount {
  encoding: keyof typeof CAPACITY;
  /** Septets in GSM-7, UTF-16 units in UCS-2. */
  units: number;
  /** Segments that the carrier bills; an empty message is one, too. */
  segments: number;
}

/** Counts the segments as a handset sends them: one character outside GSM-7 turns the whole text into UCS-2. */
export function countSegments(body: string): SegmentCount {
  const characters = [...body];
  const encoding = characters.every((c) => BASIC.has(c) || EXTENSION.has(c)) ? 'gsm-7' : 'ucs-2';
  const costs = characters.map((c) => (encoding === 'ucs-2' ? c.length : EXTENSION.has(c) ? 2 : 1));
  const units = costs.reduce((sum, cost) => sum + cost, 0);
  const { single, part } = CAPACITY[encoding];
  return { encoding, units, segments: units <= single ? 1 : countParts(costs, part) };
}

/** Fills part after part; a pair that does not fit whole leaves a gap and opens the next one. */
function countParts(costs: readonly number[], capacity: number): number {
  let parts = 1;
  let filled = 0;
  for (const cost of costs) {
    if (filled + cost > capacity) {
      parts += 1;
      filled = 0;
    }
    filled += cost;
  }
  return parts;
}

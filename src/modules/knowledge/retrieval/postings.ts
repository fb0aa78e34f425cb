/** Impacts are stored as whole numbers: 0 to 2.2 in steps of a ten-thousandth. */
export const IMPACT_SCALE = 10_000;
/** Seq (4), distance from the first seq of its section (2), impact in the chunk (2) and in the section (2). */
const STORED_BYTES = 10;
const BYTES = 16;

/** The chunks of a word, in ascending order. A place is the number of a chunk in its base, from 0. */
export interface Postings {
  places: Int32Array;
  /** The place where the section of each chunk begins. */
  sections: Int32Array;
  impacts: Float32Array;
  sectionImpacts: Float32Array;
  bytes: number;
}

export const NO_POSTINGS: Postings = {
  places: new Int32Array(0),
  sections: new Int32Array(0),
  impacts: new Float32Array(0),
  sectionImpacts: new Float32Array(0),
  bytes: 0,
};

/** The chunks of a base in one row: those of its first document, of its second, and so on. */
export class Places {
  private readonly starts = new Map<number, { start: number; chunks: number }>();
  private readonly documents: { id: number; start: number }[] = [];
  readonly total: number;
  readonly bytes: number;

  /** @param documents in the order of their ids */
  constructor(documents: readonly { id: number; chunks: number }[]) {
    let start = 0;
    for (const { id, chunks } of documents) {
      this.starts.set(id, { start, chunks });
      this.documents.push({ id, start });
      start += chunks;
    }
    this.total = start;
    this.bytes = documents.length * 100;
  }

  /** @returns null: the document was changed since the places were given */
  placeOf(documentId: number, seq: number): number | null {
    const document = this.starts.get(documentId);
    return document && seq <= document.chunks ? document.start + seq - 1 : null;
  }

  chunkAt(place: number): { documentId: number; seq: number } {
    let [low, high] = [0, this.documents.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.documents[middle]?.start ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    const { id = 0, start = 0 } = this.documents[low] ?? {};
    return { documentId: id, seq: place - start + 1 };
  }
}

/** @param rows of a word, in the order of the documents */
export function readPostings(
  rows: readonly { documentId: number; postings: Buffer }[],
  places: Places,
): Postings {
  const count = rows.reduce((sum, { postings }) => sum + postings.length / STORED_BYTES, 0);
  const read: Postings = {
    places: new Int32Array(count),
    sections: new Int32Array(count),
    impacts: new Float32Array(count),
    sectionImpacts: new Float32Array(count),
    bytes: count * BYTES,
  };
  let next = 0;
  for (const { documentId, postings } of rows) {
    for (let at = 0; at < postings.length; at += STORED_BYTES) {
      const place = places.placeOf(documentId, postings.readInt32BE(at));
      if (place === null) break;
      read.places[next] = place;
      read.sections[next] = place - postings.readInt16BE(at + 4);
      read.impacts[next] = postings.readInt16BE(at + 6) / IMPACT_SCALE;
      read.sectionImpacts[next] = postings.readInt16BE(at + 8) / IMPACT_SCALE;
      next++;
    }
  }
  if (next === count) return read;
  return {
    ...read,
    places: read.places.slice(0, next),
    sections: read.sections.slice(0, next),
  };
}

/** Whether the word stands in the chunk. */
export function hasPlace({ places }: Postings, place: number): boolean {
  let [low, high] = [0, places.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = places[middle] ?? 0;
    if (found === place) return true;
    if (found < place) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

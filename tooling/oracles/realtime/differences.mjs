const BYTES_PER_MS = 8;
/** The requirement. */
const TRUNCATION_MS = 50;

/** Deliberate differences; README.md has the reasons. */
const DELIBERATE = {
  silence: 'silence stands in for missing audio after 200 ms, here at any time, and 5 s of it at most',
  marks: 'marks follow each 100 to 250 ms of audio; there is no mark for the end',
  pieces: 'what was heard is known by marks and the clock, there by the last whole piece and 50 ms',
  whole: 'an answer that was heard to its end is not truncated at its end',
};

/** @returns {{ what: string, deliberate?: string }[]} */
export function differences(scenario, mine, other) {
  return [
    ...audioDifferences(scenario, mine, other),
    ...appendDifferences(mine, other),
    ...markDifferences(mine, other),
    ...clearDifferences(mine, other),
    ...truncationDifferences(scenario, mine, other),
    ...(mine.cancelled === other.cancelled
      ? []
      : [{ what: `response.cancel ${mine.cancelled} times, there ${other.cancelled} times` }]),
  ];
}

function audioDifferences(_scenario, mine, other) {
  if (mine.received.equals(other.received)) return [];
  return [{ what: `audio to the carrier: ${mine.received.length} bytes, there ${other.received.length}` }];
}

/** Byte by byte, apart from silence. */
function appendDifferences(mine, other) {
  if (mine.appended.equals(other.appended)) return [];
  const spoken = (audio) => audio.filter((byte) => byte !== 0xff);
  if (Buffer.compare(spoken(mine.appended), spoken(other.appended)) === 0)
    return [{ what: 'silence to the model', deliberate: DELIBERATE.silence }];
  return [{ what: `audio to the model: ${mine.appended.length} bytes, there ${other.appended.length}` }];
}

/** 100 ms: shorter audio has no mark. */
const UNMARKED_BYTES = 800;

/** Each mark of theirs has a mark of ours at the same position or less than 100 ms before it. */
function markDifferences(mine, other) {
  const before = (bytes) => Math.max(0, ...mine.marks.filter((own) => own <= bytes));
  const missing = other.marks.filter((bytes) => bytes - before(bytes) >= UNMARKED_BYTES);
  if (missing.length > 0) return [{ what: `no mark after ${missing.join(', ')} bytes` }];
  return mine.marks.length === other.marks.length ? [] : [{ what: 'marks', deliberate: DELIBERATE.marks }];
}

function clearDifferences(mine, other) {
  const told = ({ clears }) => clears.map(({ bytes, played }) => `${bytes}/${played}`).join(' ');
  return told(mine) === told(other)
    ? []
    : [{ what: `clear (sent/played): ${told(mine)}, there ${told(other)}` }];
}

const lengthMs = ({ pieces }) => pieces.reduce((sum, { audio }) => sum + audio.length, 0) / BYTES_PER_MS;

function truncationDifferences({ answers }, mine, other) {
  const [ours, theirs] = [mine.truncated, other.truncated];
  const items = ({ item }) => item;
  const [only] = theirs;
  if (ours.length === 0 && theirs.length === 1 && only.endMs >= lengthMs(answers[0]) - TRUNCATION_MS)
    return [{ what: 'not truncated', deliberate: DELIBERATE.whole }];
  if (ours.map(items).join() !== theirs.map(items).join())
    return [{ what: `truncated ${JSON.stringify(ours)}, there ${JSON.stringify(theirs)}` }];
  const heardMs = (mine.clears[0]?.played ?? 0) / BYTES_PER_MS;
  return ours.flatMap(({ endMs }, index) => {
    const otherMs = theirs[index].endMs;
    if (Math.abs(endMs - heardMs) > TRUNCATION_MS)
      return [{ what: `truncated at ${endMs} ms, heard were ${heardMs} ms` }];
    if (Math.abs(endMs - otherMs) <= TRUNCATION_MS) return [];
    const isCoarse = answers[0].pieceMs > 2 * TRUNCATION_MS;
    const what = `truncated at ${endMs} ms, there at ${otherMs} ms`;
    return [isCoarse ? { what, deliberate: DELIBERATE.pieces } : { what }];
  });
}

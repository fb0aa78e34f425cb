const FRAME_BYTES = 160;
const BYTES_PER_MS = 8;

function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Pieces of a response of `ms`, each of `pieceMs`, one every `everyMs`; the bytes differ. */
function answer(ms, pieceMs, everyMs, fill = 1) {
  const pieces = [];
  for (let at = 0; at < ms; at += pieceMs) {
    const bytes = Math.min(pieceMs, ms - at) * BYTES_PER_MS;
    const audio = Buffer.from(Array.from({ length: bytes }, (_, index) => (fill + at + index * 7) % 120));
    pieces.push({ atMs: (at / pieceMs) * everyMs, audio });
  }
  return { pieces, pieceMs };
}

/** Frames of the customer; `lost` are the frames that do not arrive. */
const customer = (endMs, lost = () => false) =>
  Array.from({ length: endMs / 20 }, (_, index) =>
    lost(index) ? null : Buffer.from(Array.from({ length: FRAME_BYTES }, (_one, at) => (index + at) % 120)),
  );

const scenario = (name, fields) => ({
  name,
  endMs: 6_000,
  askAtMs: [200],
  interruptAtMs: [],
  answers: [answer(2_000, 100, 20)],
  frames: customer(fields.endMs ?? 6_000, fields.lost),
  ...fields,
});

/** Fixed scenarios, and random ones. */
export function* scenarios(seed, count) {
  const two = [answer(3_000, 100, 20), answer(500, 100, 20, 50)];
  yield scenario('is heard to its end', {});
  yield scenario('interrupted in the middle', {
    answers: two,
    interruptAtMs: [1_500],
    askAtMs: [200, 3_000],
  });
  yield scenario('interrupted while the model still speaks', {
    answers: [answer(3_000, 100, 100), two[1]],
    interruptAtMs: [1_500],
    askAtMs: [200, 3_000],
  });
  yield scenario('interrupted at the first frame', {
    answers: two,
    interruptAtMs: [260],
    askAtMs: [200, 3_000],
  });
  yield scenario('a sound after everything was heard', { interruptAtMs: [4_000] });
  yield scenario('a sound before any answer', { interruptAtMs: [100] });
  yield scenario('lost frames', { lost: (index) => index > 30 && index < 50 });
  yield scenario('a carrier that stalls', { lost: (index) => index > 30 && index < 130 });
  yield scenario('a gap of 20 s', { endMs: 26_000, lost: (index) => index > 30 && index < 1_030 });
  const roll = random(seed);
  const between = (from, to) => Math.round((from + roll() * (to - from)) / 20) * 20;
  for (let number = 1; number <= count; number += 1) {
    const pieceMs = between(20, roll() < 0.8 ? 100 : 600);
    const gapAt = between(0, 200) / 20;
    const gapFrames = roll() < 0.3 ? between(20, 600) / 20 : 0;
    const ms = between(400, 4_000);
    // The next response is requested only after the end of the first one.
    const slowestMs = Math.max(20, Math.floor((4_500 * pieceMs) / ms / 20) * 20);
    yield scenario(`random ${number}`, {
      answers: [answer(ms, pieceMs, Math.min(slowestMs, between(20, 120))), answer(500, 100, 20, 50)],
      interruptAtMs: roll() < 0.7 ? [between(300, 5_000)] : [],
      askAtMs: [200, 5_200],
      endMs: 8_000,
      lost: (index) => index > gapAt && index <= gapAt + gapFrames,
    });
  }
}

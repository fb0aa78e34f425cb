/**
 * The speech of the sandbox on a telephone line: µ-law bytes that carry characters. It is recognised only when no byte
 * was changed, lost or put elsewhere on its way, however the bytes are cut into pieces; silence and quiet sounds between
 * them do no harm.
 *
 * A group of 8 bytes (1 ms) names one character, and is repeated for as long as the character is spoken:
 *
 * | byte | value | |
 * |---|---|---|
 * | 0 | 0x80, in the last group of a character 0x81 | |
 * | 1 | 0–63 | which group of the character it is, modulo 64 |
 * | 2–5 | 0–63 each | the code point, highest six bits first |
 * | 6 | 0–63 | which character of the speech it is, modulo 64 |
 * | 7 | 0–63 | the sum of bytes 0–6, modulo 64 |
 *
 * All of them are loud samples, so that a detector of voice activity takes them for speech.
 */

/** Bytes of a frame of 20 ms, the frame size of carriers. */
export const FRAME_BYTES = 160;
/** Speaking rate, like people's. Faster speech takes at least 1 ms for a character. */
export const MS_PER_CHARACTER = 60;
/** µ-law, 8 kHz. */
const BYTES_PER_MS = 8;
export const SILENCE = 0xff;
/** The other zero of µ-law. */
const NEGATIVE_SILENCE = 0x7f;

const GROUP_BYTES = 8;
const HEAD = 0x80;
const LAST_HEAD = 0x81;
const SIX_BITS = 0x3f;
/** The bits of µ-law without the sign; a larger value is quieter. */
const MAGNITUDE = 0x7f;

/** Whether a sample is quieter than every sample of speech: silence, or a quiet background. */
export const isQuiet = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & MAGNITUDE) > SIX_BITS;
export const isSilence = (byte: number | undefined): boolean => byte === SILENCE || byte === NEGATIVE_SILENCE;

/** Duration of one character of a speech, in milliseconds: an integer, at least 1. */
export const characterMs = (msPerCharacter = MS_PER_CHARACTER): number =>
  Math.max(1, Math.round(msPerCharacter));

/** The bytes of a spoken text, with nothing around them: `characterMs` for each code point. */
export function speechBytes(text: string, msPerCharacter = MS_PER_CHARACTER): Buffer {
  const groups = characterMs(msPerCharacter);
  const characters = [...text].map((character, index) =>
    Buffer.concat(
      Array.from({ length: groups }, (_, group) =>
        groupOf(character.codePointAt(0) ?? 0, index, group, group === groups - 1),
      ),
    ),
  );
  return Buffer.concat(characters);
}

/** The same in frames of 160 bytes; silence fills the last one. */
export function encodeSpeech(text: string, msPerCharacter = MS_PER_CHARACTER): Buffer[] {
  const speech = speechBytes(text, msPerCharacter);
  const frames = Math.ceil(speech.length / FRAME_BYTES);
  const padded = Buffer.concat([speech, Buffer.alloc(frames * FRAME_BYTES - speech.length, SILENCE)]);
  return Array.from({ length: frames }, (_, index) =>
    padded.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES),
  );
}

function groupOf(codePoint: number, sequence: number, group: number, isLast: boolean): Buffer {
  const bytes = [
    isLast ? LAST_HEAD : HEAD,
    group & SIX_BITS,
    (codePoint >> 18) & SIX_BITS,
    (codePoint >> 12) & SIX_BITS,
    (codePoint >> 6) & SIX_BITS,
    codePoint & SIX_BITS,
    sequence & SIX_BITS,
  ];
  return Buffer.from([...bytes, checksum(bytes)]);
}

const checksum = (bytes: readonly number[]): number =>
  bytes.slice(0, GROUP_BYTES - 1).reduce((sum, byte) => sum + byte, 0) & SIX_BITS;

/** The recognised groups of a character. */
interface Run {
  name: readonly number[];
  groups: number;
}

/** Recognises the characters of a stream of audio in pieces of any size. */
export class SpeechDecoder {
  private group: number[] = [];
  private run: Run | null = null;
  private silentBytes = 0;
  private faults = 0;

  /** Milliseconds of silence, or of quiet sounds, since the last byte of speech; a long silence ends the words. */
  get silentMs(): number {
    return this.silentBytes / BYTES_PER_MS;
  }

  /** Number of recognition errors: damaged speech, or an interruption in the middle of a character. */
  get unrecognised(): number {
    return this.faults;
  }

  /** The characters that end in this piece. */
  push(audio: Uint8Array): string {
    let text = '';
    for (const byte of audio) {
      if (isQuiet(byte)) this.silentBytes += 1;
      else text += this.take(byte);
    }
    return text;
  }

  private take(byte: number): string {
    this.silentBytes = 0;
    const isHead = byte === HEAD || byte === LAST_HEAD;
    if (isHead !== (this.group.length === 0)) this.lose();
    if (!isHead && this.group.length === 0) return '';
    this.group.push(byte);
    if (this.group.length < GROUP_BYTES) return '';
    const group = this.group;
    this.group = [];
    return this.complete(group);
  }

  private complete(group: readonly number[]): string {
    const [head, index, ...rest] = group;
    const name = rest.slice(0, -1);
    if (rest.at(-1) !== checksum(group) || !isName(name)) return this.lose();
    const { run } = this;
    const goesOn = run !== null && index === (run.groups & SIX_BITS) && isSame(name, run.name);
    if (!goesOn && run !== null) this.lose();
    if (!goesOn && index !== 0) return this.lose();
    this.run = { name, groups: goesOn ? run.groups + 1 : 1 };
    if (head !== LAST_HEAD) return '';
    this.run = null;
    return String.fromCodePoint(codePointOf(name));
  }

  private lose(): '' {
    this.group = [];
    this.run = null;
    this.faults += 1;
    return '';
  }
}

const MAX_CODE_POINT = 0x10ffff;

/** Its code point and its position in the speech, in groups of six bits. */
const isName = (name: readonly number[]): boolean =>
  name.every((byte) => byte <= SIX_BITS) && codePointOf(name) <= MAX_CODE_POINT;

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((byte, index) => byte === other[index]);

const codePointOf = (name: readonly number[]): number =>
  name.slice(0, 4).reduce((point, bits) => (point << 6) | bits, 0);

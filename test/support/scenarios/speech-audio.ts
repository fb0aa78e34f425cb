import { audioMs } from '#src/modules/media/audio-line.js';

/**
 * Speech as telephone audio that can be read again: each character is a block of equal length, so a share of the audio
 * is the same share of the text. A block has three parts: the two bytes of the character, and the number of its speech.
 * They are read in their middle, so that audio may be cut a byte beside the edge of a block.
 */
export class SpeechAudio {
  private readonly blockBytes: number;

  constructor(msPerCharacter: number) {
    this.blockBytes = Math.round(msPerCharacter / audioMs(1, 'pcmu-8000'));
  }

  encode(text: string, speech: number): Buffer {
    const blocks = Array.from({ length: text.length }, (_, at) => this.block(text.charCodeAt(at), speech));
    return Buffer.concat(blocks);
  }

  /** How many characters so much audio has. */
  characters(bytes: number): number {
    return bytes / this.blockBytes;
  }

  decode(audio: Buffer): { text: string; speech: number } {
    const { blockBytes } = this;
    const starts = Array.from({ length: Math.round(audio.length / blockBytes) }, (_, at) => at * blockBytes);
    const part = (start: number, index: number): number =>
      audio[start + Math.floor(((index + 0.5) * blockBytes) / 3)] ?? 0;
    const codes = starts.map((start) => (part(start, 0) << 8) | part(start, 1));
    return { text: String.fromCharCode(...codes), speech: part(0, 2) };
  }

  private block(code: number, speech: number): Buffer {
    const third = Math.floor(this.blockBytes / 3);
    const block = Buffer.alloc(this.blockBytes, speech);
    return block.fill(code >> 8, 0, third).fill(code & 0xff, third, 2 * third);
  }
}

export const STAMP_BYTES = 6;
/** Base64 of the stamp; what follows it in a frame is the same in every frame. */
export const STAMP_CHARACTERS = (STAMP_BYTES / 3) * 4;
/** Frames that may be on their way at once; more than a minute of them. */
const SLOTS = 1 << 20;

/** Stamps the audio of frames, and measures how long each took. */
export class FrameTimes {
  readonly latencies: number[] = [];
  sent = 0;
  private readonly sentAt = new Float64Array(SLOTS);
  private readonly bytes = Buffer.alloc(STAMP_BYTES);
  private next = 0;
  private measuring = false;

  begin(): void {
    this.latencies.length = this.sent = 0;
    this.measuring = true;
  }

  end(): void {
    this.measuring = false;
  }

  /** The first characters of a frame that is sent now. */
  stamp(): string {
    const slot = (this.next = (this.next + 1) % SLOTS);
    this.bytes.writeUIntBE(slot, 0, STAMP_BYTES);
    if (this.measuring) this.sent++;
    this.sentAt[slot] = this.measuring ? performance.now() : 0;
    return this.bytes.toString('base64');
  }

  /** @param text in which the audio begins at `at` */
  arrived(text: string, at: number): void {
    const slot = Buffer.from(text.slice(at, at + STAMP_CHARACTERS), 'base64').readUIntBE(0, STAMP_BYTES);
    // Silence that the service put in has no stamp, and frames of the time before are not measured.
    const sentAt = slot < SLOTS ? this.sentAt[slot] : 0;
    if (sentAt) this.latencies.push(performance.now() - sentAt);
  }
}

export const STAMP_BYTES = 6;
/** Base64 length of the stamp; the rest of a frame is the same in every frame. */
export const STAMP_CHARACTERS = (STAMP_BYTES / 3) * 4;
/** Maximum number of frames in transit; more than a minute of them. */
const SLOTS = 1 << 20;

/** Stamps the audio of frames, and measures the latency of each. */
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

  /** @param text with the audio at position `at` */
  arrived(text: string, at: number): void {
    const slot = Buffer.from(text.slice(at, at + STAMP_CHARACTERS), 'base64').readUIntBE(0, STAMP_BYTES);
    // Silence inserted by the service has no stamp; frames from before the measurement are not counted.
    const sentAt = slot < SLOTS ? this.sentAt[slot] : 0;
    if (sentAt) this.latencies.push(performance.now() - sentAt);
  }
}

/** Cuts streamed samples into frames of one length; the rest waits for the next piece. */
export class FrameSplitter {
  private rest = new Int16Array(0);

  constructor(private readonly length: number) {}

  push(samples: Int16Array): Int16Array[] {
    const audio = new Int16Array(this.rest.length + samples.length);
    audio.set(this.rest);
    audio.set(samples, this.rest.length);
    const frames = Array.from({ length: Math.floor(audio.length / this.length) }, (_, index) =>
      audio.subarray(index * this.length, (index + 1) * this.length),
    );
    this.rest = audio.slice(frames.length * this.length);
    return frames;
  }
}

/** Root mean square, of 32,768. */
export function loudnessOf(samples: Int16Array): number {
  let sum = 0;
  // A loop: `reduce` allocates a number for each sample.
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/** Time as the engine sees it, so that every limit can be tested without waiting for it. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
  /** @returns a function that takes the timer back; harmless once it has fired. */
  abstract setTimeout(task: () => void, ms: number): () => void;
}

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override setTimeout(task: () => void, ms: number): () => void {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  }
}

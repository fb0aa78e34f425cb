/** The engine's time source; tests replace it to check limits without waiting. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
  /** @returns a function that cancels the timer; it does nothing once the timer has fired. */
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

import type { SpeechError } from '../speech-error.js';

/** A message of a socket. */
export interface SocketMessage {
  data: Buffer;
  isBinary: boolean;
}

/** Messages that came and were not read yet, in their order. */
export class MessageInbox {
  private readonly messages: SocketMessage[] = [];
  private failure: SpeechError | null = null;
  private notify: () => void = () => undefined;

  push(message: SocketMessage): void {
    this.messages.push(message);
    this.notify();
  }

  /** What came before is read first. */
  fail(error: SpeechError): void {
    this.failure ??= error;
    this.notify();
  }

  /**
   * The next message; null when the signal aborts.
   *
   * @param late what is thrown when no message comes in time
   * @throws SpeechError when the socket has failed
   */
  async next(limitMs: number, late: () => SpeechError, signal: AbortSignal): Promise<SocketMessage | null> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.notify();
    }, limitMs);
    const aborted = (): void => this.notify();
    signal.addEventListener('abort', aborted);
    try {
      while (!signal.aborted) {
        const message = this.messages.shift();
        if (message) return message;
        if (this.failure) throw this.failure;
        if (isLate) throw late();
        await new Promise<void>((resolve) => (this.notify = resolve));
      }
      return null;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    }
  }
}

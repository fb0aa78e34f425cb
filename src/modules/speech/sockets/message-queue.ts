import type { SpeechError } from '../speech-error.js';

/** A message of a socket. */
export interface SocketMessage {
  data: Buffer;
  isBinary: boolean;
}

/** Received messages in order, until they are read. */
export class MessageQueue {
  private readonly messages: SocketMessage[] = [];
  private failure: SpeechError | null = null;
  private notify: () => void = () => undefined;

  push(message: SocketMessage): void {
    this.messages.push(message);
    this.notify();
  }

  /** Messages received before are read first. */
  fail(error: SpeechError): void {
    this.failure ??= error;
    this.notify();
  }

  /**
   * The next message; null when the signal aborts.
   *
   * @param timeoutError creates the error for a missing message
   * @throws SpeechError when the socket has failed
   */
  async next(
    timeoutMs: number,
    timeoutError: () => SpeechError,
    signal: AbortSignal,
  ): Promise<SocketMessage | null> {
    let isTimedOut = false;
    const timer = setTimeout(() => {
      isTimedOut = true;
      this.notify();
    }, timeoutMs);
    const aborted = (): void => this.notify();
    signal.addEventListener('abort', aborted);
    try {
      while (!signal.aborted) {
        const message = this.messages.shift();
        if (message) return message;
        if (this.failure) throw this.failure;
        if (isTimedOut) throw timeoutError();
        await new Promise<void>((resolve) => (this.notify = resolve));
      }
      return null;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    }
  }
}

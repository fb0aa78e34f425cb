import type { CallSession, CallSessionEvent, SpeechOptions } from '../telephony/call-session.js';
import type { BrowserSocket, LineCloseReason } from './browser-socket.js';
import { parseBrowserFrame } from './web-call-frames.js';

/** The frame for a browser whose line is open. */
export interface TextLineReady {
  /** Opens the line again when it broke. */
  token: string;
  /** BCP 47 */
  language: string;
  /** 0.7–1.2, of the assistant's voice. */
  rate: number;
}

/**
 * A call session with a browser that gets and sends text. It speaks and listens with its own speech functions, or the
 * customer reads and types. Frames: docs/use/web-calls.md.
 */
export class BrowserTextSession implements CallSession {
  constructor(
    private readonly socket: BrowserSocket,
    readonly openedAt = Date.now(),
  ) {}

  /** @param greeting the assistant's first sentence; null: none */
  sendReady(ready: TextLineReady, greeting: string | null, options: SpeechOptions): void {
    this.socket.send({ type: 'ready', line: 'text', ...ready });
    if (greeting !== null) this.say(greeting, true, options);
  }

  say(token: string, last: boolean, { interruptible, preemptible }: SpeechOptions): void {
    this.socket.send({ type: 'text', token, last, interruptible, preemptible });
  }

  /** A browser has nothing that takes keys. */
  sendDigits(): void {}

  switchLanguage(language: string): void {
    this.socket.send({ type: 'language', tag: language });
  }

  end(reason: string): void {
    this.socket.send({ type: 'end', reason });
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.socket.setListener({
      frame: (data, isBinary) => {
        const event = isBinary ? null : parseBrowserFrame(data.toString());
        if (event?.kind === 'bye') this.socket.close('hang-up');
        else if (event) listener(event);
      },
      closed: (end) => listener(closedEvent(end)),
    });
  }
}

const closedEvent = (end: LineCloseReason): CallSessionEvent =>
  end === 'handed-over' ? { kind: 'closed', playsOn: true } : { kind: 'closed' };

/** What the service sends on the line of a web call: docs/use/web-calls.md. */
export type ServiceFrame =
  | { type: 'ready'; line: 'text'; token: string; language: string; rate: number }
  | { type: 'ready'; line: 'audio'; token: string; language: string }
  | { type: 'caption'; who: 'assistant' | 'customer'; text: string; last: boolean }
  | { type: 'clear'; place: number }
  | { type: 'text'; token: string; last: boolean; interruptible: boolean; preemptible: boolean }
  | { type: 'language'; tag: string }
  | { type: 'end'; reason: string };

/** Why a call did not begin, or broke. */
export type Failure = 'offline' | 'unreachable' | 'refused' | 'busy' | 'unavailable' | 'lost';

export class CallFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure);
  }
}

export interface CallListener {
  frame(frame: ServiceFrame): void;
  audioCame(audio: ArrayBuffer): void;
  reconnecting(): void;
  reconnected(): void;
  closed(failure: Failure | null): void;
}

/** A little less than the service waits for a broken line. */
const RECONNECT_MS = 14_000;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 3_000;
/** A second of audio: what the network does not take by then is not sent. */
const MAX_UNSENT_BYTES = 48_000;

/** Of a socket that closes without a handshake. */
const LOST_CODE = 1006;

export interface BegunCall {
  url: string;
  token: string;
  line: 'audio' | 'text';
}

/** Asks the service for a call. @throws CallFailed */
export async function beginCall(api: string, assistantId: string): Promise<BegunCall> {
  const answer = await fetch(`${api}/web-calls`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ assistant_id: assistantId }),
    credentials: 'omit',
  }).catch(() => null);
  if (!answer) throw new CallFailed(navigator.onLine ? 'unreachable' : 'offline');
  const body = (await answer.json().catch(() => ({}))) as BegunCall & { message?: string };
  if (!answer.ok) throw new CallFailed(failureOf(answer.status, body.message ?? ''));
  return body;
}

function failureOf(status: number, message: string): Failure {
  if (status === 403) return 'refused';
  if (status === 429 || status === 503 || /parallel/.test(message)) return 'busy';
  return status >= 500 ? 'unreachable' : 'unavailable';
}

/** The line of a web call; a broken one is opened again. */
export class Call {
  private socket: WebSocket | null = null;
  private isOver = false;
  private isOpen = false;
  private brokeAt = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** Ends the listeners to the network. */
  private readonly ended = new AbortController();

  constructor(
    private url: string,
    private token: string,
    private readonly listener: CallListener,
  ) {
    const { signal } = this.ended;
    addEventListener('offline', () => this.leaveSocket(), { signal });
    addEventListener('online', () => this.retryNow(), { signal });
    this.open();
  }

  send(frame: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  sendAudio(audio: ArrayBuffer): void {
    const { socket } = this;
    if (socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < MAX_UNSENT_BYTES) socket.send(audio);
  }

  /** The customer hangs up. */
  hangUp(): void {
    this.send({ type: 'end' });
    this.over(null);
  }

  private open(): void {
    const socket = (this.socket = new WebSocket(this.url));
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      if (this.brokeAt > 0) this.listener.reconnected();
      this.isOpen = true;
      this.brokeAt = 0;
      this.pauseMs = FIRST_PAUSE_MS;
    };
    socket.onmessage = ({ data }) => {
      if (this.isOver) return;
      if (data instanceof ArrayBuffer) this.listener.audioCame(data);
      else this.receive(JSON.parse(String(data)) as ServiceFrame);
    };
    socket.onclose = ({ code }) => {
      if (!this.isOver) this.broke(code);
    };
  }

  private receive(frame: ServiceFrame): void {
    if (frame.type === 'ready') {
      this.url = this.url.replace(this.token, frame.token);
      this.token = frame.token;
    }
    this.listener.frame(frame);
    if (frame.type === 'end') this.over(null);
  }

  private broke(code: number): void {
    if (code === 1000) return this.over(null);
    // A line that was never open has no token to open it again.
    if (!this.isOpen && this.brokeAt === 0) return this.over('unreachable');
    if (this.brokeAt === 0) {
      this.brokeAt = Date.now();
      this.listener.reconnecting();
    }
    if (Date.now() - this.brokeAt > RECONNECT_MS) return this.over('lost');
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    this.retry = setTimeout(() => this.open(), this.pauseMs);
  }

  /**
   * The socket of a network that is gone neither brings anything nor closes, for minutes. It is left as it is: closed
   * in a network that works all the same, it would end the call. The service closes it when the next one opens.
   */
  private leaveSocket(): void {
    const { socket } = this;
    if (!socket || this.brokeAt > 0 || this.isOver) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    this.broke(LOST_CODE);
  }

  private retryNow(): void {
    const { socket } = this;
    if (!socket || this.brokeAt === 0 || this.isOver) return;
    clearTimeout(this.retry);
    socket.onopen = socket.onmessage = socket.onclose = null;
    // An attempt in the network that is gone may wait for minutes.
    if (socket.readyState === WebSocket.CONNECTING) socket.close();
    this.open();
  }

  private over(failure: Failure | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.ended.abort();
    clearTimeout(this.retry);
    this.socket?.close(1000);
    this.listener.closed(failure);
  }
}

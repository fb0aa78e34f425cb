import { baseUrl } from './client-base.js';
import { until } from './until.js';

export interface ServerEvent {
  /** Empty for an event without one. */
  id: string;
  event: string;
  data: Record<string, unknown>;
}

interface Options {
  lastEventId?: string | undefined;
  root?: string;
}

/** A client of server-sent events that reads all the time. */
export class EventStreamClient {
  readonly events: ServerEvent[] = [];
  comments = 0;
  hasEnded = false;
  private readonly gone = new AbortController();

  private constructor(readonly response: Response) {}

  /** @param path relative to the API prefix */
  static async open(
    token: string,
    path: string,
    { lastEventId, root = `${baseUrl()}/api` }: Options = {},
  ): Promise<EventStreamClient> {
    const gone = new AbortController();
    const response = await fetch(root + path, {
      signal: gone.signal,
      headers: {
        Accept: 'text/event-stream',
        Authorization: `Bearer ${token}`,
        ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
      },
    });
    const client = new EventStreamClient(response);
    client.gone.signal.addEventListener('abort', () => gone.abort());
    if (response.ok) void client.read().catch(() => undefined);
    return client;
  }

  close(): void {
    this.gone.abort();
  }

  /** Waits until the events match. */
  when(wanted: (events: ServerEvent[]) => boolean): Promise<ServerEvent[]> {
    return until(async () => (wanted(this.events) ? this.events : null));
  }

  /** Waits until the service ends the stream. */
  async end(): Promise<ServerEvent[]> {
    await until(async () => this.hasEnded);
    return this.events;
  }

  private async read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of this.response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    }
    this.hasEnded = true;
  }

  private take(block: string): void {
    const lines = block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    });
    const { id, event, data } = Object.fromEntries(lines) as Record<string, string>;
    if (event !== undefined && data !== undefined)
      this.events.push({ id: id ?? '', event, data: JSON.parse(data) as Record<string, unknown> });
    else if (block.startsWith(':')) this.comments += 1;
  }
}

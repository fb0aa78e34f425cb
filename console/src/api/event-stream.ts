import { createParser } from 'eventsource-parser';
import { keyStore } from '#console/session/key-store';
import { API_PATH } from './place';

export interface StreamEvent {
  name: string;
  data: unknown;
}

export type StreamState = 'connecting' | 'open' | 'lost';

export interface StreamOptions {
  /** Below the API, e.g. `/user/calls/events`. */
  path: string;
  onEvent: (event: StreamEvent) => void;
  onState?: (state: StreamState) => void;
  /** Begins with what happens from now on; else with the oldest kept event. */
  isFromNow?: boolean;
}

const RETRY_MS = 2_000;
/** The service sends a comment every 15 s. */
const SILENCE_MS = 40_000;
/** The stream's end is final: what it tells of is over, not there, or not for this key. */
const FINAL = new Set([204, 403, 404]);

/**
 * Reads server-sent events until `stop`; a lost stream is resumed behind the last event. Not `EventSource`: it sends no
 * bearer token.
 */
export function openEventStream(options: StreamOptions): { stop: () => void } {
  const controller = new AbortController();
  void follow(options, controller.signal);
  return { stop: () => controller.abort() };
}

async function follow(
  { path, onEvent, onState, isFromNow }: StreamOptions,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | null = null;
  let retryMs = RETRY_MS;
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (id !== undefined) lastId = id;
      onEvent({ name: event ?? 'message', data: JSON.parse(data) as unknown });
    },
    onRetry: (ms) => (retryMs = ms),
  });
  onState?.('connecting');
  while (!signal.aborted) {
    const { key } = keyStore.get();
    const connection = new AbortController();
    const end = (): void => connection.abort();
    signal.addEventListener('abort', end);
    try {
      const response = await fetch(`${API_PATH}${path}${isFromNow && lastId === null ? '?from=now' : ''}`, {
        headers: requestHeaders(key, lastId),
        signal: connection.signal,
      });
      // After another sign-in it goes on.
      if (response.status === 401) keyStore.refuse(key);
      if (FINAL.has(response.status)) return;
      if (response.ok && response.body) {
        onState?.('open');
        await read(response.body, (text) => parser.feed(text), end);
      }
    } catch {
      // Lost; connects again.
    } finally {
      signal.removeEventListener('abort', end);
      parser.reset();
    }
    if (signal.aborted) return;
    onState?.('lost');
    await sleep(retryMs, signal);
  }
}

function requestHeaders(key: string | null, lastId: string | null): Headers {
  const headers = new Headers({ authorization: `Bearer ${key}` });
  if (lastId !== null) headers.set('last-event-id', lastId);
  return headers;
}

/** Gives up a connection that has been silent for too long: nothing else tells that the network is gone. */
async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  feed: (text: string) => void,
  giveUp: () => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(giveUp, SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    feed(value);
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

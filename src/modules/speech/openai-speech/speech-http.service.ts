import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { SpeechError } from '../speech-error.js';
import type { ProviderAccess } from '../speech-provider.js';

/** Milliseconds, short because the customer waits. */
const CONNECT_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 6_000;
/** Between two pieces of audio: then the rest of the sentence is requested again. */
const READ_TIMEOUT_MS = 2_500;
/** Longer than a turn of the customer. */
const KEEP_ALIVE_MS = 60_000;

/** Requests to OpenAI-compatible audio endpoints, whose addresses come from the operator. */
@Injectable()
export class SpeechHttpService implements OnApplicationShutdown {
  protected readonly responseTimeoutMs: number = RESPONSE_TIMEOUT_MS;
  protected readonly readTimeoutMs: number = READ_TIMEOUT_MS;
  private dispatcher: Agent | null = null;

  /** @throws SpeechError for an error status, a failed connection or an aborted signal */
  async post(
    { baseUrl, apiKey }: ProviderAccess,
    path: string,
    { body, headers }: Pick<RequestInit, 'body'> & { headers?: Record<string, string> },
    signal: AbortSignal,
  ): Promise<Response> {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      body: body ?? null,
      headers: { ...headers, authorization: `Bearer ${apiKey}` },
      redirect: 'error',
      signal,
      dispatcher: this.agent(),
    }).catch((error: unknown) => {
      throw new SpeechError(`${path} cannot be reached`, true, null, { cause: error });
    });
    if (response.ok) return response;
    await response.body?.cancel().catch(() => undefined);
    throw SpeechError.fromStatus(path, response.status);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher?.destroy();
  }

  private agent(): Agent {
    this.dispatcher ??= new Agent({
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: this.responseTimeoutMs,
      bodyTimeout: this.readTimeoutMs,
    });
    return this.dispatcher;
  }
}

/**
 * Streams the bytes of a response.
 *
 * @throws SpeechError when they end early or are more than `maxBytes`
 */
export async function* readBytes(response: Response, path: string, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > maxBytes) throw new SpeechError(`${path} answers with too much`, false);
      yield Buffer.from(chunk as Uint8Array);
    }
  } catch (error) {
    if (error instanceof SpeechError) throw error;
    throw new SpeechError(`${path} broke off`, true, null, { cause: error });
  }
}

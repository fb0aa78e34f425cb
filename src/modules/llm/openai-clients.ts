import type { OpenAI } from 'openai';
import { Agent, fetch, Response } from 'undici';
import { isObject } from '#src/common/validation/field-rules.js';
import { tryParseJson } from './response/json-text.js';
import type { LanguageModelSettings, ModelEndpoint } from './language-model.js';

/** Longer than a turn of the customer; the runtime's own fetch closes an idle connection after 4 s. */
const KEEP_ALIVE_MS = 60_000;
/** A connection used within this time is still open. */
const RECENTLY_USED_MS = 30_000;

/** Of a whole response, also of an error: many times what a turn may have. A server that never stops ends with it. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** One client for each endpoint, created with its first request. Clients never read the environment or log. */
export class OpenAiClients {
  private readonly dispatcher = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: 5_000 },
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  private readonly clients = new Map<string, Promise<OpenAI>>();
  private readonly usedAt = new Map<string, number>();

  constructor(private readonly settings: LanguageModelSettings) {}

  /** @param name of an endpoint; null and unknown names: the default one */
  async clientFor(name: string | null): Promise<OpenAI> {
    const endpoint = this.endpointOf(name);
    this.usedAt.set(endpoint.baseUrl, performance.now());
    let client = this.clients.get(endpoint.baseUrl);
    if (!client) this.clients.set(endpoint.baseUrl, (client = this.create(endpoint)));
    return client;
  }

  /** Loads the client and opens a connection to the endpoint, unless it was used a moment ago. */
  async warm(name: string | null): Promise<void> {
    const { baseUrl } = this.endpointOf(name);
    if (performance.now() - (this.usedAt.get(baseUrl) ?? -Infinity) < RECENTLY_USED_MS) return;
    const signal = AbortSignal.timeout(5_000);
    // Read to its end, so that the connection is free for the next request; the content does not matter.
    const opened = this.send(baseUrl, { signal })
      .then((answer) => answer.arrayBuffer())
      .catch(() => null);
    await Promise.all([this.clientFor(name), opened]);
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  /** Not the runtime's fetch, which takes no dispatcher of another version of undici. */
  private readonly send: typeof fetch = async (url, init) =>
    normalizeErrorBody(await fetch(url, { ...init, dispatcher: this.dispatcher }));

  private endpointOf(name: string | null): ModelEndpoint {
    const { endpoints } = this.settings;
    return (name !== null && Object.hasOwn(endpoints, name) && endpoints[name]) || this.settings;
  }

  private async create({ baseUrl, apiKey }: ModelEndpoint): Promise<OpenAI> {
    const { OpenAI: Client } = await import('openai');
    return new Client({
      baseURL: baseUrl,
      apiKey,
      organization: null,
      project: null,
      maxRetries: 0,
      logLevel: 'off',
      fetch: this.send as unknown as typeof globalThis.fetch,
    });
  }
}

/** Of the body of an error response. */
const MAX_ERROR_BODY_CHARACTERS = 64 * 1024;

/** Gemini wraps the error in a list, and Mistral sends it without `error`: the client reads `error` only. */
async function normalizeErrorBody(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = (await response.text()).slice(0, MAX_ERROR_BODY_CHARACTERS);
  const body = tryParseJson(text);
  const content = Array.isArray(body) ? body[0] : body;
  const { status, headers } = response;
  if (!isObject(content)) return new Response(text, { status, headers });
  const normalized = 'error' in content ? content : { error: content };
  return new Response(JSON.stringify(normalized), { status, headers });
}

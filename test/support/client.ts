import { baseUrl } from './client-base.js';
import { contractProblem } from './contract.js';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  body: T;
}

export { baseUrl } from './client-base.js';

/**
 * Speaks to the API as a client would; paths are relative to the API prefix, e.g. `/user/tools`. Every answer
 * is held against the service's own OpenAPI document.
 */
export class Client {
  constructor(
    readonly token: string | null,
    private readonly root = `${baseUrl()}/api`,
  ) {}

  /** Of the same service. */
  withToken(token: string): Client {
    return new Client(token, this.root);
  }

  get<T>(path: string, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return this.send<T>('GET', path, undefined, headers);
  }

  post<T>(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return this.send<T>('POST', path, JSON.stringify(body), headers);
  }

  put<T>(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return this.send<T>('PUT', path, JSON.stringify(body), headers);
  }

  delete<T>(path: string): Promise<Answer<T>> {
    return this.send<T>('DELETE', path);
  }

  async send<T>(
    method: string,
    path: string,
    body?: string | FormData,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(this.root + path, {
      method,
      body: body ?? null,
      headers: {
        Accept: 'application/json',
        ...(body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
        ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }),
        ...headers,
      },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const parsed: unknown = isJson && text ? JSON.parse(text) : {};
    const problem = await contractProblem(
      method,
      new URL(this.root + path).pathname,
      response.status,
      parsed,
    );
    if (problem) throw new Error(problem);
    return { status: response.status, headers: response.headers, text, body: parsed as T };
  }
}

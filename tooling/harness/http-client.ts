export interface HttpResponse<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  body: T;
}

/** A client of the API; paths are relative to the API prefix, e.g. `/user/tools`. */
export class HttpClient {
  constructor(
    readonly token: string | null,
    /** With the prefix, e.g. `http://127.0.0.1:3000/api`. */
    protected readonly root: string,
  ) {}

  get<T>(path: string, headers: Record<string, string> = {}): Promise<HttpResponse<T>> {
    return this.send<T>('GET', path, undefined, headers);
  }

  post<T>(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<HttpResponse<T>> {
    return this.send<T>('POST', path, body instanceof FormData ? body : JSON.stringify(body), headers);
  }

  put<T>(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<HttpResponse<T>> {
    return this.send<T>('PUT', path, JSON.stringify(body), headers);
  }

  delete<T>(path: string): Promise<HttpResponse<T>> {
    return this.send<T>('DELETE', path);
  }

  /** Rejects without a response. */
  async send<T>(
    method: string,
    path: string,
    body?: string | FormData,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse<T>> {
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
    return { status: response.status, headers: response.headers, text, body: parsed as T };
  }
}

import { toErrorMessage } from '../output.js';

export interface NamedResource {
  id: number;
  name: string;
}

export interface DemoLead {
  id: number;
  phone_number: string;
  status: string;
}

export interface DemoCall {
  id: number;
  client_phone_number: string;
  status: string;
  duration: number;
  transcript: string;
  evaluation: Record<string, unknown>;
  /** Empty before the first attempt. */
  webhook_response: { error?: string | null };
  carrier_cost: number;
  total_cost: number;
  answered_by: string;
  ended_by: string | null;
}

export interface DataResponse<T> {
  data: T;
}

/** The message has the reason of the failure and what to do. */
export class DemoError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DemoError';
  }
}

const TIMEOUT_MS = 10_000;

interface ErrorBody {
  message?: string;
  errors?: Record<string, string[]>;
}

/** A client of the REST API. */
export class DemoApi {
  constructor(
    readonly baseUrl: string,
    private readonly token: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.send<T>('POST', path, body);
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.send<T>('PUT', path, body);
  }

  delete<T>(path: string): Promise<T> {
    return this.send<T>('DELETE', path);
  }

  /** Sends a form with a text file. */
  upload<T>(path: string, fields: Record<string, string>, text: string): Promise<T> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([text], { type: 'text/plain' }), 'file.txt');
    return this.send<T>('POST', path, form);
  }

  /** @throws DemoError with the message of the service */
  private async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isJson = body !== undefined && !(body instanceof FormData);
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        Accept: 'application/json',
        ...(isJson && { 'Content-Type': 'application/json' }),
      },
      body: isJson ? JSON.stringify(body) : ((body as FormData | undefined) ?? null),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new DemoError(
        `${this.baseUrl} does not respond (${toErrorMessage(error)}). Check that the service runs.`,
      );
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new DemoError(`${method} ${path} was answered with ${answer.status}: ${errorIn(text)}`);
    return JSON.parse(text) as T;
  }
}

function errorIn(text: string): string {
  try {
    const { message, errors } = JSON.parse(text) as ErrorBody;
    return [message, ...Object.values(errors ?? {}).flat()].filter(Boolean).join(' ');
  } catch {
    return 'no JSON';
  }
}

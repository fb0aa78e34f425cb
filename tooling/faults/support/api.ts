import { HttpClient, type HttpResponse } from '../../harness/http-client.js';

export interface ApiResponse {
  status: number;
  text: string;
  /** The stored response of an earlier request with the same key. */
  replayed: boolean;
}

/** API client of one account. */
export class Api {
  private readonly client: HttpClient;

  constructor(url: string, token: string) {
    this.client = new HttpClient(token, `${url}/api`);
  }

  /** Rejects without a response. @param key the `Idempotency-Key` */
  async post(path: string, body: object | FormData, key?: string): Promise<ApiResponse> {
    const keyed: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    const { status, text, headers } = await this.client.post(path, body, keyed);
    return { status, text, replayed: headers.get('idempotent-replayed') === 'true' };
  }

  /** @throws when the status is not 2xx */
  async created<T>(path: string, body: object | FormData): Promise<T> {
    return successOf(`POST ${path}`, await this.client.post<T>(path, body));
  }

  /** @throws when the status is not 2xx */
  async get<T>(path: string): Promise<T> {
    return successOf(`GET ${path}`, await this.client.get<T>(path));
  }

  async webhookSecret(): Promise<string> {
    return (await this.get<{ data: { secret: string } }>('/user/webhook-secret')).data.secret;
  }

  async importLeads(campaignId: number, numbers: readonly string[]): Promise<void> {
    const { data } = await this.created<{ data: { imported: number } }>(
      '/user/leads/import',
      leadsFile(campaignId, numbers),
    );
    if (data.imported !== numbers.length)
      throw new Error(`${data.imported} of ${numbers.length} were imported`);
  }
}

function successOf<T>(request: string, { status, text, body }: HttpResponse<T>): T {
  if (status >= 300) throw new Error(`${request} was answered ${status}: ${text}`);
  return body;
}

/** A form for the import of leads. Sets the time zone, because fictional numbers have none. */
export function leadsFile(campaignId: number, numbers: readonly string[]): FormData {
  const form = new FormData();
  form.append('campaign_id', String(campaignId));
  const lines = ['phone_number,timezone', ...numbers.map((number) => `${number},UTC`)];
  form.append('file', new Blob([lines.join('\n')], { type: 'text/csv' }), 'leads.csv');
  return form;
}

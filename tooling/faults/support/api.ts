export interface ApiAnswer {
  status: number;
  text: string;
  /** The stored answer of an earlier request with the same key. */
  replayed: boolean;
}

/** API client of one account. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Rejects without an answer. @param key the `Idempotency-Key` */
  async post(path: string, body: object | FormData, key?: string): Promise<ApiAnswer> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.url}/api${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { status: response.status, text: await response.text(), replayed };
  }

  /** @throws when the status is not 2xx */
  async created<T>(path: string, body: object | FormData): Promise<T> {
    const { status, text } = await this.post(path, body);
    if (status >= 300) throw new Error(`POST ${path} was answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** @throws when the status is not 2xx */
  async get<T>(path: string): Promise<T> {
    const headers = { authorization: `Bearer ${this.token}` };
    const response = await fetch(`${this.url}/api${path}`, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
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

/** A form for the import of leads. Sets the time zone, because fictional numbers have none. */
export function leadsFile(campaignId: number, numbers: readonly string[]): FormData {
  const form = new FormData();
  form.append('campaign_id', String(campaignId));
  const lines = ['phone_number,timezone', ...numbers.map((number) => `${number},UTC`)];
  form.append('file', new Blob([lines.join('\n')], { type: 'text/csv' }), 'leads.csv');
  return form;
}

import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { assistantBody } from '../../../test/factories/assistant.js';
import { Api } from './api.js';

/** Distinct numbers of the sandbox: those with the last digits `special`, then from `first` on. */
export const sandboxNumbers = (count: number, special: readonly string[], first: number): string[] =>
  Array.from({ length: count }, (_, index) => `+1500555${special[index] ?? String(first + index)}`);

const DAY_MS = 86_400_000;

/** An account with one running campaign over many leads. */
export class CampaignCustomer {
  private constructor(
    readonly account: TestAccount,
    readonly assistantId: number,
    readonly campaignId: number,
    private readonly api: Api,
  ) {}

  /** Each of `numbers` is a lead with one attempt. */
  static async create(
    apiUrl: string,
    numbers: readonly string[],
    { assistant = {}, slots = 10 }: { assistant?: object; slots?: number } = {},
  ): Promise<CampaignCustomer> {
    const account = await anAccount({ balance: 1000, plan: 'unlimited' });
    const api = new Api(apiUrl, account.token);
    const id = async (path: string, body: object): Promise<number> =>
      (await api.created<{ data: { id: number } }>(path, body)).data.id;
    const assistantId = await id('/user/assistant', assistantBody({ timezone: 'UTC', ...assistant }));
    const campaign = {
      name: 'Faults',
      assistant_id: assistantId,
      max_calls_in_parallel: slots,
      max_retries: 1,
      timezone: 'UTC',
    };
    const campaignId = await id('/user/campaigns', campaign);
    await api.importLeads(campaignId, numbers);
    return new CampaignCustomer(account, assistantId, campaignId, api);
  }

  secret(): Promise<string> {
    return this.api.webhookSecret();
  }

  /** Number of calls by status, from the analytics. */
  async callsByStatus(): Promise<Record<string, number>> {
    // A run may begin before midnight.
    const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10));
    const { data } = await this.api.get<{ data: { series: { key: string; totals: { calls: number } }[] } }>(
      `/user/analytics/calls?from=${from}&to=${to}&group_by=status&metrics=calls`,
    );
    return Object.fromEntries(data.series.map(({ key, totals }) => [key, totals.calls]));
  }

  async start(): Promise<void> {
    const body = { campaign_id: this.campaignId, action: 'start' };
    await this.api.created('/user/campaigns/update-status', body);
  }
}

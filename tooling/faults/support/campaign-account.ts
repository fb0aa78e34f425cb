import { anAccount } from '../../../test/factories/account.js';
import { assistantBody } from '../../../test/factories/assistant.js';
import { Api } from './api.js';

/** An account with any number of campaigns. */
export class CampaignAccount {
  private constructor(
    readonly id: number,
    private readonly api: Api,
    private readonly assistantId: number,
  ) {}

  static async create(apiUrl: string): Promise<CampaignAccount> {
    const { id, token } = await anAccount({ balance: 10_000, plan: 'unlimited' });
    const api = new Api(apiUrl, token);
    const body = assistantBody({ timezone: 'UTC' });
    const { data } = await api.created<{ data: { id: number } }>('/user/assistant', body);
    return new CampaignAccount(id, api, data.id);
  }

  /** One whose leads have one attempt each. @returns its id */
  async campaign(fields: object, numbers: readonly string[] = []): Promise<number> {
    const campaign = {
      name: 'Faults',
      assistant_id: this.assistantId,
      max_retries: 1,
      timezone: 'UTC',
      ...fields,
    };
    const { data } = await this.api.created<{ data: { id: number } }>('/user/campaigns', campaign);
    if (numbers.length > 0) await this.api.importLeads(data.id, numbers);
    return data.id;
  }

  /** @returns time of the request, in milliseconds since the epoch */
  async start(campaignId: number): Promise<number> {
    const at = Date.now();
    await this.api.created('/user/campaigns/update-status', { campaign_id: campaignId, action: 'start' });
    return at;
  }
}

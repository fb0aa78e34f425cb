import { Injectable } from '@nestjs/common';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';

/** The number that a call is made from: one with an active subscription, or none. */
@Injectable()
export class CallerNumbers {
  /** Rotation need not survive a restart, and two workers may turn by themselves. */
  private turn = 0;

  constructor(private readonly numbers: PhoneNumbersService) {}

  /** The assistant's own, else the account's oldest active one. */
  async forAssistant({ accountId, phoneNumberId }: AssistantView): Promise<string | null> {
    const own = phoneNumberId === null ? null : await this.numbers.find(accountId, phoneNumberId);
    const number = own?.subscriptionActive ? own : await this.numbers.oldestActive(accountId);
    return number?.phoneNumber ?? null;
  }

  /** The campaign's numbers in rotation, else the assistant's. */
  async forCampaign(campaign: CampaignView, assistant: AssistantView): Promise<string | null> {
    if (campaign.phoneNumberIds.length === 0) return this.forAssistant(assistant);
    const owned = await this.numbers.findMany(campaign.accountId, campaign.phoneNumberIds);
    const active = owned.filter(({ subscriptionActive }) => subscriptionActive);
    if (active.length === 0) return this.forAssistant(assistant);
    return active[this.turn++ % active.length]?.phoneNumber ?? null;
  }
}

import { Injectable } from '@nestjs/common';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';

/** Selects the number that a call is made from: one with an active subscription, or null. */
@Injectable()
export class CallerIdService {
  /** Position of the rotation by campaign. Kept in memory: each worker rotates on its own, also after a restart. */
  private turn = 0;

  constructor(private readonly numbers: PhoneNumbersService) {}

  /** The assistant's own, else the account's oldest active one. */
  async callerIdForAssistant({ accountId, phoneNumberId }: AssistantView): Promise<string | null> {
    const own = phoneNumberId === null ? null : await this.numbers.findPhoneNumber(accountId, phoneNumberId);
    const number = own?.subscriptionActive ? own : await this.numbers.oldestActive(accountId);
    return number?.phoneNumber ?? null;
  }

  /** The campaign's next number in rotation, else the assistant's. */
  async callerIdForCampaign(campaign: CampaignView, assistant: AssistantView): Promise<string | null> {
    if (campaign.phoneNumberIds.length === 0) return this.callerIdForAssistant(assistant);
    const owned = await this.numbers.findPhoneNumbers(campaign.accountId, campaign.phoneNumberIds);
    const active = owned.filter(({ subscriptionActive }) => subscriptionActive);
    if (active.length === 0) return this.callerIdForAssistant(assistant);
    return active[this.turn++ % active.length]?.phoneNumber ?? null;
  }
}

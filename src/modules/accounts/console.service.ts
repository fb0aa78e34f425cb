import { Injectable } from '@nestjs/common';
import type { Scope } from '#src/http/scopes.js';
import { toAmount } from '#src/common/money/micros.js';
import { zonesOfCountry } from '#src/common/phone/number-zones.js';
import { isSandboxCarrier, isSandboxModel } from '#src/config/production-rules.js';
import { RestoreGateService } from '#src/database/restore-gate.service.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { serviceVersion } from '#src/config/version.js';
import { AccountsService } from './accounts.service.js';
import type { ConsoleResponse } from './dto/console.response.js';

/** The data of the service, the account and its key that a client needs before anything else. */
@Injectable()
export class ConsoleService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly settings: RuntimeSettings,
    private readonly gate: RestoreGateService,
  ) {}

  async getConsole(userId: number, scopes: Scope[]): Promise<ConsoleResponse> {
    const { country, plan } = await this.accounts.accountView(userId);
    const { carrier, model, currency, http } = this.settings;
    const zones = zonesOfCountry(country);
    return {
      version: serviceVersion(),
      public_url: http.publicUrl,
      carrier: { name: 'twilio', sandbox: isSandboxCarrier(carrier) },
      model: { sandbox: isSandboxModel(model, carrier) },
      currency,
      country,
      time_zone: zones.length === 1 ? (zones[0] ?? null) : null,
      scopes,
      plan: {
        name: plan.name,
        max_parallel_calls: plan.maxParallelCalls,
        max_tools: plan.maxTools,
        max_assistants: plan.maxAssistants,
        max_campaigns: plan.maxCampaigns,
        max_leads_per_campaign: plan.maxLeadsPerCampaign,
        price_per_minute: toAmount(plan.pricePerMinuteMicros),
        price_per_message: toAmount(plan.pricePerMessageMicros),
      },
      restored: this.gate.isHeld,
      features: { docs: http.docsEnabled },
    };
  }
}

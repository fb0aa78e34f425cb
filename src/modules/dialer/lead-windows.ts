import type { CampaignView } from '../campaigns/campaign-view.js';
import { msUntilOpen } from './dial-window.js';
import { zoneOfLead } from './lead-zone.js';

const UNKNOWN_ZONE_MS = 3_600_000;

/** A campaign's window at one moment; each zone is judged once. */
export class LeadWindows {
  private readonly waits = new Map<string, number>();

  constructor(
    private readonly campaign: CampaignView,
    private readonly now: Date,
  ) {}

  /** Milliseconds until the number may be called. A zone that cannot be resolved means: not now. */
  msUntilOpen(lead: { phoneNumber: string; variables: Record<string, unknown> }): number {
    const zone = zoneOfLead(lead, this.campaign.timezone);
    if (zone === null) return UNKNOWN_ZONE_MS;
    const wait = this.waits.get(zone) ?? this.judge(zone);
    this.waits.set(zone, wait);
    return wait;
  }

  private judge(zone: string): number {
    const { allowedHoursStartTime: start, allowedHoursEndTime: end, allowedDays: days } = this.campaign;
    return msUntilOpen({ start, end, days }, zone, this.now) ?? UNKNOWN_ZONE_MS;
  }
}

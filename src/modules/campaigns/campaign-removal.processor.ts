import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { JobProcessor, type RowProcessor } from '#src/queue/job-processor.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { CampaignParts } from './campaign-parts.js';
import { Campaign } from './entities/campaign.entity.js';

/** Then the next campaign has its turn. */
const TURN_MS = 1_000;

/**
 * The row is the deleted campaign: removes its leads in batches, each a transaction of its own. What dies in between
 * goes on where it was, because the leads that are left say what is to be done.
 */
@JobProcessor('campaign-removal')
export class CampaignRemovalProcessor implements RowProcessor {
  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly parts: CampaignParts,
    private readonly queue: JobQueue,
  ) {}

  async due(limit: number): Promise<string[]> {
    const campaigns = await this.campaigns.find({
      select: { id: true },
      where: { deletedAt: Not(IsNull()), leadsRemovedAt: IsNull() },
      withDeleted: true,
      take: limit,
    });
    return campaigns.map(({ id }) => String(id));
  }

  async process(rowId: string): Promise<void> {
    const id = Number(rowId);
    const end = performance.now() + TURN_MS;
    let step = await this.parts.removeBatch(id);
    while (step === 'more' && performance.now() < end) step = await this.parts.removeBatch(id);
    if (step === 'more') this.queue.wake('campaign-removal', id);
    // Locked ones are found again when the reconciler looks for due rows.
    if (step !== 'done') return;
    await this.campaigns.update({ id, deletedAt: Not(IsNull()) }, { leadsRemovedAt: () => 'now()' });
  }
}

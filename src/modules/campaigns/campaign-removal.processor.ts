import { DataSource, IsNull, Not } from 'typeorm';
import { DueRows } from '#src/common/fairness/due-rows.js';
import { JobProcessor, type JobResult, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { CampaignRelatedDataService } from './campaign-related-data.service.js';
import { Campaign } from './entities/campaign.entity.js';

/** Milliseconds, then other campaigns have their turn. */
const TURN_MS = 1_000;

/**
 * The row is the deleted campaign: removes its leads in batches, each a transaction of its own. What dies in between
 * goes on where it was, because the leads that are left say what is to be done.
 */
@JobProcessor('campaign-removal')
export class CampaignRemovalProcessor implements RowProcessor {
  private readonly dueRows: DueRows;

  constructor(
    private readonly db: DataSource,
    private readonly parts: CampaignRelatedDataService,
  ) {
    this.dueRows = new DueRows(db, {
      table: 'campaigns',
      due: 'deleted_at',
      waiting: 'deleted_at IS NOT NULL AND leads_removed_at IS NULL',
    });
  }

  due(limit: number): Promise<JobRow[]> {
    return this.dueRows.read(limit);
  }

  async process(rowId: string): Promise<JobResult> {
    const id = Number(rowId);
    const end = performance.now() + TURN_MS;
    let step = await this.parts.removeBatch(id);
    while (step === 'more' && performance.now() < end) step = await this.parts.removeBatch(id);
    if (step === 'more') return 'again';
    // Locked ones are found again when the reconciler looks for due rows.
    if (step === 'done') {
      await this.db.manager.update(
        Campaign,
        { id, deletedAt: Not(IsNull()) },
        { leadsRemovedAt: () => 'now()' },
      );
    }
    return 'done';
  }
}

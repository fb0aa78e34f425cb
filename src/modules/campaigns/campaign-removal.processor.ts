import { DataSource, IsNull, Not } from 'typeorm';
import { DueRowReader } from '#src/common/fairness/due-row-reader.js';
import { JobProcessor, type JobResult, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { CampaignDataRegistryService } from './campaign-data-registry.service.js';
import { Campaign } from './entities/campaign.entity.js';

/** Milliseconds per run, after which other campaigns are processed. */
const TURN_MS = 1_000;

/**
 * The row is the deleted campaign: removes its leads in batches, each in its own transaction. After a crash the next
 * run continues with the leads that are left.
 */
@JobProcessor('campaign-removal')
export class CampaignRemovalProcessor implements RowProcessor {
  private readonly dueRows: DueRowReader;

  constructor(
    private readonly db: DataSource,
    private readonly relatedData: CampaignDataRegistryService,
  ) {
    this.dueRows = new DueRowReader(db, {
      table: 'campaigns',
      due: 'deleted_at',
      waiting: 'deleted_at IS NOT NULL AND leads_removed_at IS NULL',
    });
  }

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.dueRows.read(limit);
  }

  async process(rowId: string): Promise<JobResult> {
    const id = Number(rowId);
    const end = performance.now() + TURN_MS;
    let step = await this.relatedData.removeBatch(id);
    while (step === 'more' && performance.now() < end) step = await this.relatedData.removeBatch(id);
    if (step === 'more') return 'again';
    // The reconciliation of due rows finds locked ones again.
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

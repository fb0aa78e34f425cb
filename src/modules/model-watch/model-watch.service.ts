import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';
import { RuntimeSettings, runsJobs } from '#src/config/runtime-settings.js';
import { MetricsService } from '#src/metrics/metrics.service.js';
import { AssistantModelsService } from '../assistants/assistant-models.service.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CatalogWarningsService } from '../catalog/catalog-warnings.service.js';
import { describeWarning, findWatchedModels, type WatchedModel } from './watched-models.js';

const EVERY_MS = 24 * 3_600_000;
/** Ids of assistants in one line of the log. */
const MOST_IDS = 20;

/** Looks once a day, and at a start, for models that end or are not offered, in the processes that run jobs. */
@Injectable()
export class ModelWatchService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ModelWatchService.name);
  private readonly assistantsWarned: Gauge<'model' | 'warning'>;
  private readonly task = new PeriodicTask(
    EVERY_MS,
    () => this.check(),
    (error) => {
      if (this.outage.reportOutage(error)) return;
      this.logger.warn(
        `Models of assistants were not checked (${error instanceof Error ? error.name : 'error'}); trying again`,
      );
    },
  );

  constructor(
    private readonly settings: RuntimeSettings,
    private readonly catalog: CatalogService,
    private readonly warnings: CatalogWarningsService,
    private readonly assistants: AssistantModelsService,
    private readonly outage: DatabaseOutageService,
    { registry }: MetricsService,
  ) {
    this.assistantsWarned = new Gauge({
      name: 'model_warning_assistants',
      help: 'Assistants whose model or speech provider is missing, retires within 60 days or has retired.',
      labelNames: ['model', 'warning'],
      registers: [registry],
    });
  }

  onApplicationBootstrap(): void {
    if (runsJobs(this.settings)) this.task.start({ immediately: true });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  private async check(): Promise<void> {
    const watched = await findWatchedModels(await this.catalog.readCatalog(), this.settings);
    await this.warnings.recordWarnings(watched);
    this.assistantsWarned.reset();
    for (const model of watched) if (model.warning !== null) await this.report(model);
  }

  private async report(model: WatchedModel): Promise<void> {
    const users = await this.assistants.findDependents(model.kind, model.id);
    const ids = users.map(({ id }) => id);
    if (ids.length === 0) return;
    this.assistantsWarned.set({ model: model.name, warning: model.warning ?? '' }, ids.length);
    const shown = ids.slice(0, MOST_IDS).join(', ');
    const rest = ids.length > MOST_IDS ? ` and ${ids.length - MOST_IDS} more` : '';
    this.logger.warn(`The model ${describeWarning(model)} (assistants ${shown}${rest})`);
  }
}

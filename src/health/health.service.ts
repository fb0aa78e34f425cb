import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { ApiError } from '#src/common/errors/api-error.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private draining = false;

  constructor(
    private readonly database: DatabaseOutageService,
    private readonly settings: RuntimeSettings,
  ) {}

  beforeApplicationShutdown(): void {
    this.draining = true;
  }

  /** Redis is not asked: without it requests are answered and work goes on from the rows. @throws 503 */
  async ready(): Promise<{ status: string; role: string }> {
    if (this.draining || !(await this.database.answers())) throw new ApiError(503, 'Not ready');
    return { status: 'ok', role: this.settings.role };
  }
}

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { ApiError } from '#src/common/errors/api-error.js';

const PATIENCE_MS = 2_000;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private draining = false;

  constructor(
    private readonly db: DataSource,
    private readonly settings: RuntimeSettings,
  ) {}

  beforeApplicationShutdown(): void {
    this.draining = true;
  }

  /** Redis is not asked: without it requests are answered and work goes on from the rows. @throws 503 */
  async ready(): Promise<{ status: string; role: string }> {
    if (this.draining || !(await this.databaseAnswers())) throw new ApiError(503, 'Not ready');
    return { status: 'ok', role: this.settings.role };
  }

  private async databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
    });
    const query = this.db.query('SELECT 1').then(
      () => true,
      () => false,
    );
    const answered = await Promise.race([query, patience]);
    clearTimeout(timer);
    return answered;
  }
}

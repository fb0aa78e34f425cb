import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#src/auth/auth.decorators.js';
import { ApiError } from '#src/common/errors/api-error.js';
import { DrainService } from './drain.service.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { RestoreGateService } from '#src/database/restore-gate.service.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { serviceVersion } from '#src/config/version.js';

const VERSION = serviceVersion();

@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: DatabaseOutageService,
    private readonly settings: RuntimeSettings,
    private readonly drain: DrainService,
    private readonly gate: RestoreGateService,
  ) {}

  @Get('live')
  live() {
    return { status: 'ok', version: VERSION };
  }

  /**
   * Does not check Redis: the service works without it. `restored`: it shows data and does nothing else until an
   * operator releases it.
   *
   * @throws ApiError 503
   */
  @Get('ready')
  async ready(): Promise<{ status: string; role: string }> {
    if (this.drain.draining || !(await this.database.isReachable())) throw new ApiError(503, 'Not ready');
    return { status: this.gate.isHeld ? 'restored' : 'ok', role: this.settings.role };
  }
}

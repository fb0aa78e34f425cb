import { Injectable, type CanActivate } from '@nestjs/common';
import { ServiceUnavailable } from '#src/common/errors/api-error.js';
import { DrainService } from './drain.service.js';

/** For routes that begin a call: a process that is being stopped refuses them. */
@Injectable()
export class DrainGuard implements CanActivate {
  constructor(private readonly drain: DrainService) {}

  /** @throws ServiceUnavailable */
  canActivate(): boolean {
    if (this.drain.draining) throw new ServiceUnavailable();
    return true;
  }
}

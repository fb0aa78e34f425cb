import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isAllowedDestination } from '#src/common/phone/destinations.js';
import type { AccountView } from '../accounts/accounts.service.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';

/** Whether a campaign may dial a number at all, now and later. */
@Injectable()
export class DestinationsService {
  constructor(private readonly suppressions: SuppressionsService) {}

  /** False: premium and satellite ranges, countries that the account may not call, suppressed numbers. */
  async mayDial(
    tx: EntityManager,
    { id, allowedCountries }: Pick<AccountView, 'id' | 'allowedCountries'>,
    e164: string,
  ): Promise<boolean> {
    if (!isAllowedDestination(e164, allowedCountries)) return false;
    return !(await this.suppressions.isSuppressed(tx, id, e164));
  }
}

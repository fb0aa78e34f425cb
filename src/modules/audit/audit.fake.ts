import type { EntityManager } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { AuditService } from './audit.service.js';

/** Records nothing. @param tx of the transactions that it makes */
export const anAuditService = (tx: Partial<EntityManager> = {}): AuditService =>
  partialFake<AuditService>({
    change: (work) => work(partialFake<EntityManager>(tx), () => undefined),
    record: async () => undefined,
    recordRead: async () => undefined,
  });

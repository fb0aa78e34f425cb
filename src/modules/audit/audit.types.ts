import type { Actor } from '#src/common/work-context.js';

/** In the logs of accounts. Each begins with the type of its resource. */
export const AUDIT_ACTIONS = [
  'account.create',
  'account.reach-spend-limit',
  'account.top-up',
  'account.update',
  'api-key.create',
  'api-key.delete',
  'api-key.reach-spend-limit',
  'api-key.update',
  'assistant.create',
  'assistant.delete',
  'assistant.update',
  'audit-log.export',
  'call.create',
  'call.delete',
  'call.end',
  'call.export',
  'call.list',
  'call.read',
  'call.read-recording',
  'call.read-turns',
  'call.watch',
  'campaign.create',
  'campaign.delete',
  'campaign.export',
  'campaign.repair',
  'campaign.start',
  'campaign.stop',
  'campaign.update',
  'campaign.watch',
  'conversation.read',
  'delivery.read',
  'delivery.replay',
  'delivery.test',
  'document.create',
  'document.delete',
  'document.update',
  'erasure.create',
  'erasure.finish',
  'export.create',
  'export.read',
  'folder.create',
  'folder.delete',
  'folder.update',
  'knowledgebase.create',
  'knowledgebase.delete',
  'knowledgebase.update',
  'label.create',
  'label.delete',
  'label.update',
  'lead.create',
  'lead.delete',
  'lead.import',
  'lead.schedule',
  'lead.update',
  'phone-number.create',
  'phone-number.delete',
  'phone-number.update',
  'retention.update',
  'sms.create',
  'suppression.create',
  'suppression.delete',
  'suppression.import',
  'tool.create',
  'tool.delete',
  'tool.test',
  'tool.update',
  'webhook-secret.read',
  'webhook-secret.update',
] as const;

/** In the log of the installation: what commands change for all accounts. */
export const INSTALLATION_ACTIONS = [
  'encryption.decrypt',
  'encryption.rotate',
  'model.create',
  'model.update',
  'plan.create',
  'plan.update',
  'price.update',
  'provider.create',
  'provider.update',
  'voice.create',
  'voice.update',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS | typeof INSTALLATION_ACTIONS)[number];

export const AUDIT_RESOURCES = [...new Set(AUDIT_ACTIONS.map(resourceOf))];

/** `campaign` of `campaign.start`. */
export function resourceOf(action: AuditAction): string {
  return action.slice(0, action.indexOf('.'));
}

export const ACTOR_TYPES = ['key', 'cli', 'link', 'system'] as const satisfies readonly Actor['type'][];

/** Values that tell nothing about customers and open nothing: statuses, counts, ids. Undefined: not there. */
export type AuditDetails = Record<string, string | number | boolean | null | number[] | string[] | undefined>;

/** In place of an account: what commands change for the whole installation. */
export const INSTALLATION = 0;

/** What was done. */
export interface AuditRecord {
  /** Or `INSTALLATION`. */
  accountId: number;
  action: AuditAction;
  resourceId?: number | string | null;
  /** Names of changed fields. */
  fields?: readonly string[];
  details?: AuditDetails;
  /** Default: who does the running work. */
  actor?: Actor;
}

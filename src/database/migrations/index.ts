import { Installation20261126000801 } from './20261126000801-installation.js';
import { DomainEvents20261126000802 } from './20261126000802-domain-events.js';
import { CarrierLimits20261126000803 } from './20261126000803-carrier-limits.js';
import { Catalog20261126000804 } from './20261126000804-catalog.js';
import { Accounts20261126000805 } from './20261126000805-accounts.js';
import { AccessTokens20261126000806 } from './20261126000806-access-tokens.js';
import { IdempotencyKeys20261126000807 } from './20261126000807-idempotency-keys.js';
import { PhoneNumbers20261126000808 } from './20261126000808-phone-numbers.js';
import { Tools20261126000809 } from './20261126000809-tools.js';
import { Suppressions20261126000810 } from './20261126000810-suppressions.js';
import { Groups20261126000811 } from './20261126000811-groups.js';
import { Assistants20261126000812 } from './20261126000812-assistants.js';
import { Sms20261126000813 } from './20261126000813-sms.js';
import { Recordings20261126000814 } from './20261126000814-recordings.js';
import { Calls20261126000815 } from './20261126000815-calls.js';
import { Campaigns20261126000816 } from './20261126000816-campaigns.js';
import { Leads20261126000817 } from './20261126000817-leads.js';
import { Webhooks20261126000818 } from './20261126000818-webhooks.js';
import { CallAttempts20261126000819 } from './20261126000819-call-attempts.js';
import { Chats20261126000820 } from './20261126000820-chats.js';
import { LedgerByTime20261126000830 } from './20261126000830-ledger-by-time.js';
import { OwnedCatalogue20261126000900 } from './20261126000900-owned-catalogue.js';
import { SpeechFallbacks20261127000900 } from './20261127000900-speech-fallbacks.js';
import { FillerTurns20261127000910 } from './20261127000910-filler-turns.js';
import { Knowledge20261127001000 } from './20261127001000-knowledge.js';
import { KnowledgeChunks20261127001100 } from './20261127001100-knowledge-chunks.js';
import { AssistantKnowledge20261127001200 } from './20261127001200-assistant-knowledge.js';
import { KnowledgePostings20261127001300 } from './20261127001300-knowledge-postings.js';
import { KnowledgeSections20261128000100 } from './20261128000100-knowledge-sections.js';
import { KnowledgeVectors20261128000200 } from './20261128000200-knowledge-vectors.js';
import { DataKeys20261128004849 } from './20261128004849-data-keys.js';
import { AuditLog20261128042211 } from './20261128042211-audit-log.js';
import { Retention20261128085024 } from './20261128085024-retention.js';
import { PersonalData20261128085500 } from './20261128085500-personal-data.js';
import { ApiKeyAddresses20261128093659 } from './20261128093659-api-key-addresses.js';
import { SpendLimits20261128150000 } from './20261128150000-spend-limits.js';
import { RestoreGate20261128170000 } from './20261128170000-restore-gate.js';
import { VisitorMessages20261128220000 } from './20261128220000-visitor-messages.js';
import { KeyRotations20261128221000 } from './20261128221000-key-rotations.js';
import { ErasedNumbers20261129030000 } from './20261129030000-erased-numbers.js';
import { Redaction20261128160000 } from './20261128160000-redaction.js';
import { HashesOfMaskedNumbers20261129010000 } from './20261129010000-hashes-of-masked-numbers.js';
import { JobWaits20261129010100 } from './20261129010100-job-waits.js';
import { AuditEntryNumbers20261129020000 } from './20261129020000-audit-entry-numbers.js';
import { QuestionAskers20261129021000 } from './20261129021000-question-askers.js';

/** What each module has begun with, in the order of their foreign keys. */
export const BASELINE = [
  Installation20261126000801,
  DomainEvents20261126000802,
  CarrierLimits20261126000803,
  Catalog20261126000804,
  Accounts20261126000805,
  AccessTokens20261126000806,
  IdempotencyKeys20261126000807,
  PhoneNumbers20261126000808,
  Tools20261126000809,
  Suppressions20261126000810,
  Groups20261126000811,
  Assistants20261126000812,
  Sms20261126000813,
  Recordings20261126000814,
  Calls20261126000815,
  Campaigns20261126000816,
  Leads20261126000817,
  Webhooks20261126000818,
  CallAttempts20261126000819,
  Chats20261126000820,
];

/** In the order of their numbers. A new migration gets a line here. */
export const MIGRATIONS = [
  ...BASELINE,
  // Changes since:
  LedgerByTime20261126000830,
  OwnedCatalogue20261126000900,
  SpeechFallbacks20261127000900,
  FillerTurns20261127000910,
  Knowledge20261127001000,
  KnowledgeChunks20261127001100,
  AssistantKnowledge20261127001200,
  KnowledgePostings20261127001300,
  KnowledgeSections20261128000100,
  KnowledgeVectors20261128000200,
  DataKeys20261128004849,
  AuditLog20261128042211,
  Retention20261128085024,
  PersonalData20261128085500,
  ApiKeyAddresses20261128093659,
  SpendLimits20261128150000,
  Redaction20261128160000,
  RestoreGate20261128170000,
  VisitorMessages20261128220000,
  KeyRotations20261128221000,
  HashesOfMaskedNumbers20261129010000,
  JobWaits20261129010100,
  AuditEntryNumbers20261129020000,
  QuestionAskers20261129021000,
  ErasedNumbers20261129030000,
];

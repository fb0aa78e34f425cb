import { OneFormOfNumbers20261126000200 } from './20261126000200-one-form-of-numbers.js';
import { CallerIdLookup20261126000300 } from './20261126000300-caller-id-lookup.js';
import { Visitors20261126000400 } from './20261126000400-visitors.js';
import { ConversationsOfCustomers20261126000500 } from './20261126000500-conversations-of-customers.js';
import { ConversationTimeouts20261126000510 } from './20261126000510-conversation-timeouts.js';
import { AssistantClients20261126000600 } from './20261126000600-assistant-clients.js';
import { AssistantGroups20261126000610 } from './20261126000610-assistant-groups.js';
import { GroupedAssistants20261126000620 } from './20261126000620-grouped-assistants.js';
import { CallStatistics20261126000700 } from './20261126000700-call-statistics.js';
import { AccountPlans20261126000800 } from './20261126000800-account-plans.js';

/**
 * An installation that is older than the baseline runs these, as far as it has not yet, in place of it
 * (docs/build/adr/0041-schema-that-can-be-read.md).
 */
export const HISTORY = [
  OneFormOfNumbers20261126000200,
  CallerIdLookup20261126000300,
  Visitors20261126000400,
  ConversationsOfCustomers20261126000500,
  ConversationTimeouts20261126000510,
  AssistantClients20261126000600,
  AssistantGroups20261126000610,
  GroupedAssistants20261126000620,
  CallStatistics20261126000700,
  AccountPlans20261126000800,
];

/** The migration before them: an older installation cannot be upgraded. */
export const OLDEST_MIGRATION = 'ResponsesBesideCalls20261125000500';

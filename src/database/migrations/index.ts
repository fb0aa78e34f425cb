import { Accounts20261120000100 } from './20261120000100-accounts.js';
import { DomainEvents20261120000200 } from './20261120000200-domain-events.js';
import { Catalog20261120000300 } from './20261120000300-catalog.js';
import { PhoneNumbers20261120000400 } from './20261120000400-phone-numbers.js';
import { ToolsAndAssistants20261120000500 } from './20261120000500-tools-and-assistants.js';
import { CampaignsAndLeads20261120000600 } from './20261120000600-campaigns-and-leads.js';
import { Calls20261120000700 } from './20261120000700-calls.js';
import { Webhooks20261120000800 } from './20261120000800-webhooks.js';
import { Sms20261120000900 } from './20261120000900-sms.js';
import { IdempotencyKeys20261120001000 } from './20261120001000-idempotency-keys.js';
import { CampaignRemoval20261121000200 } from './20261121000200-campaign-removal.js';
import { DueRowsByAccount20261121000300 } from './20261121000300-due-rows-by-account.js';
import { Holds20261121000400 } from './20261121000400-holds.js';
import { AllowedCountries20261121000410 } from './20261121000410-allowed-countries.js';
import { PlanLimits20261121000500 } from './20261121000500-plan-limits.js';
import { DialPause20261121000600 } from './20261121000600-dial-pause.js';
import { TypeormMetadata20261121000700 } from './20261121000700-typeorm-metadata.js';
import { AssistantSettings20261121000900 } from './20261121000900-assistant-settings.js';
import { ConversationClaim20261122000300 } from './20261122000300-conversation-claim.js';
import { ModelEndpoints20261122000400 } from './20261122000400-model-endpoints.js';
import { CallersAsLeads20261122000600 } from './20261122000600-callers-as-leads.js';
import { LiveEvents20261122000700 } from './20261122000700-live-events.js';
import { HangUpTime20261122000810 } from './20261122000810-hang-up-time.js';
import { ConcludedConversations20261122000900 } from './20261122000900-concluded-conversations.js';
import { CallTransfers20261122001000 } from './20261122001000-call-transfers.js';
import { LeadAppointments20261122002000 } from './20261122002000-lead-appointments.js';
import { CallScreening20261122002100 } from './20261122002100-call-screening.js';
import { Recordings20261122003000 } from './20261122003000-recordings.js';
import { ApiKeys20261122006000 } from './20261122006000-api-keys.js';
import { PurchasedNumbers20261122007000 } from './20261122007000-purchased-numbers.js';
import { TextConversations20261122008000 } from './20261122008000-text-conversations.js';
import { CallsOfLeads20261122009000 } from './20261122009000-calls-of-leads.js';
import { DialledNumbers20261122009100 } from './20261122009100-dialled-numbers.js';
import { CarrierBreakers20261122009200 } from './20261122009200-carrier-breakers.js';
import { StopReasons20261122009300 } from './20261122009300-stop-reasons.js';
import { CampaignWindows20261122009400 } from './20261122009400-campaign-windows.js';
import { CampaignCounters20261122009500 } from './20261122009500-campaign-counters.js';
import { CampaignEvents20261122009510 } from './20261122009510-campaign-events.js';
import { LeadOutcomes20261122009600 } from './20261122009600-lead-outcomes.js';
import { CallEvaluations20261122009610 } from './20261122009610-call-evaluations.js';
import { DialQueue20261122009700 } from './20261122009700-dial-queue.js';
import { AttemptsFollowCalls20261122009800 } from './20261122009800-attempts-follow-calls.js';
import { SpeechProviders20261122009900 } from './20261122009900-speech-providers.js';
import { WakeSleepingCampaigns20261123000100 } from './20261123000100-wake-sleeping-campaigns.js';
import { RulesOfModules20261123000200 } from './20261123000200-rules-of-modules.js';
import { RoomForUpdates20261123000300 } from './20261123000300-room-for-updates.js';
import { LeadPages20261123000400 } from './20261123000400-lead-pages.js';
import { CountersInOrder20261123000500 } from './20261123000500-counters-in-order.js';
import { BatchesByIndex20261123000600 } from './20261123000600-batches-by-index.js';
import { MessagesWithFewerIndexes20261124000100 } from './20261124000100-messages-with-fewer-indexes.js';
import { WhatAKeyMade20261124000200 } from './20261124000200-what-a-key-made.js';
import { PaymentsTogether20261125000100 } from './20261125000100-payments-together.js';
import { DeliveriesWithFewerIndexes20261125000200 } from './20261125000200-deliveries-with-fewer-indexes.js';
import { ResponsesInArrays20261125000300 } from './20261125000300-responses-in-arrays.js';
import { LighterDeliveries20261125000400 } from './20261125000400-lighter-deliveries.js';
import { ResponsesBesideCalls20261125000500 } from './20261125000500-responses-beside-calls.js';
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
import { OwnedCatalogue20261126000900 } from './20261126000900-owned-catalogue.js';

/** In the order of their numbers. A new migration gets a line here. */
export const MIGRATIONS = [
  Accounts20261120000100,
  DomainEvents20261120000200,
  Catalog20261120000300,
  PhoneNumbers20261120000400,
  ToolsAndAssistants20261120000500,
  CampaignsAndLeads20261120000600,
  Calls20261120000700,
  Webhooks20261120000800,
  Sms20261120000900,
  IdempotencyKeys20261120001000,
  CampaignRemoval20261121000200,
  DueRowsByAccount20261121000300,
  Holds20261121000400,
  AllowedCountries20261121000410,
  PlanLimits20261121000500,
  DialPause20261121000600,
  TypeormMetadata20261121000700,
  AssistantSettings20261121000900,
  ConversationClaim20261122000300,
  ModelEndpoints20261122000400,
  CallersAsLeads20261122000600,
  LiveEvents20261122000700,
  HangUpTime20261122000810,
  ConcludedConversations20261122000900,
  CallTransfers20261122001000,
  LeadAppointments20261122002000,
  CallScreening20261122002100,
  Recordings20261122003000,
  ApiKeys20261122006000,
  PurchasedNumbers20261122007000,
  TextConversations20261122008000,
  CallsOfLeads20261122009000,
  DialledNumbers20261122009100,
  CarrierBreakers20261122009200,
  StopReasons20261122009300,
  CampaignWindows20261122009400,
  CampaignCounters20261122009500,
  CampaignEvents20261122009510,
  LeadOutcomes20261122009600,
  CallEvaluations20261122009610,
  DialQueue20261122009700,
  AttemptsFollowCalls20261122009800,
  SpeechProviders20261122009900,
  WakeSleepingCampaigns20261123000100,
  RulesOfModules20261123000200,
  RoomForUpdates20261123000300,
  LeadPages20261123000400,
  CountersInOrder20261123000500,
  BatchesByIndex20261123000600,
  MessagesWithFewerIndexes20261124000100,
  WhatAKeyMade20261124000200,
  PaymentsTogether20261125000100,
  DeliveriesWithFewerIndexes20261125000200,
  ResponsesInArrays20261125000300,
  LighterDeliveries20261125000400,
  ResponsesBesideCalls20261125000500,
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
  OwnedCatalogue20261126000900,
];

import type { ProviderFailure } from './provider-failure.js';
import type { CallStatus, CallType, EndedBy } from './states/call-states.js';
import type { Transfer } from './states/call-transfers.js';

/** The assistant's settings for the evaluation, as they were when the call or the chat began. */
export interface EvaluationPlan {
  model: string;
  schema: { name: string; type: 'string' | 'number' | 'bool'; description: string }[];
}

export interface OpenCall {
  accountId: number;
  assistant: { id: number; name: string };
  campaign: { id: number; name: string } | null;
  leadId: number | null;
  type: CallType;
  carrierSid: string | null;
  /** The keyed API request that asks for the call, if one does. */
  requestId?: string | null;
  assistantPhoneNumber: string;
  clientPhoneNumber: string;
  variables: Record<string, unknown>;
  /** Somebody without a token, in a web page. */
  visitor?: { key: string; variables: readonly string[] } | null;
  pricePerMinuteMicros: bigint;
  /** See `CallBudget`. */
  holdMicros: bigint;
  /** Seconds. */
  maxDuration: number;
  evaluationPlan: EvaluationPlan | null;
  /** When to ask the carrier about the call if no report arrives before. */
  checkAt: Date;
}

/** A call as other modules see it. */
export interface CallView {
  id: number;
  accountId: number;
  assistantId: number;
  assistantName: string;
  campaignId: number | null;
  leadId: number | null;
  type: CallType;
  status: CallStatus;
  token: string;
  carrierSid: string | null;
  assistantPhoneNumber: string;
  clientPhoneNumber: string;
  variables: Record<string, unknown>;
  /** As in `Call`. */
  visitor: string | null;
  visitorVariables: readonly string[];
  answeredBy: 'human' | 'machine' | 'unknown';
  endedBy: EndedBy | null;
  endedReason: string | null;
  duration: number;
  /** Seconds; less than the assistant's where the balance pays for less. */
  maxDuration: number;
  transcript: string;
  evaluation: Record<string, unknown>;
  /** Why there are no values in the evaluation. */
  evaluationError: string | null;
  evaluationPlan: EvaluationPlan | null;
  /** Names of the assistant's settings, as the API spells them. */
  settingsNotApplied: readonly string[];
  /** Speech providers that failed in the call, oldest first. */
  providerFailures: readonly ProviderFailure[];
  /** Oldest first. */
  transfers: readonly Transfer[];
  recordingUrl: string | null;
  pricePerMinuteMicros: bigint;
  /** See `CallBudget`. */
  holdMicros: bigint;
  totalCostMicros: bigint;
  wrapUpAttempts: number;
  /** Counts the conversations that were begun or resumed. */
  conversationClaim: number;
  createdAt: Date;
  answeredAt: Date | null;
  endedAt: Date | null;
}

/** What is read of a call for other modules. */
export const VIEW_PROPERTIES = [
  'id',
  'accountId',
  'assistantId',
  'assistantName',
  'campaignId',
  'leadId',
  'type',
  'status',
  'token',
  'carrierSid',
  'assistantPhoneNumber',
  'clientPhoneNumber',
  'variables',
  'visitor',
  'visitorVariables',
  'answeredBy',
  'endedBy',
  'endedReason',
  'duration',
  'maxDuration',
  'transcript',
  'evaluation',
  'evaluationError',
  'evaluationPlan',
  'settingsNotApplied',
  'providerFailures',
  'transfers',
  'recordingUrl',
  'pricePerMinuteMicros',
  'holdMicros',
  'totalCostMicros',
  'wrapUpAttempts',
  'conversationClaim',
  'createdAt',
  'answeredAt',
  'endedAt',
] as const satisfies readonly (keyof CallView)[];

export interface CallTurnView {
  /** Counts up within the call, tool runs included. */
  seq: number;
  role: 'assistant' | 'customer';
  text: string;
  interrupted: boolean;
  /** Milliseconds since the epoch, by name; `heardTo` counts characters. */
  timings: Record<string, number>;
}

/** Tokens of one answer of a language model. */
export interface ModelUsageRecord {
  /** `seq` of the last turn or tool run before the end of the answer; 0 for none. */
  afterSeq: number;
  model: string;
  prompt: number;
  /** Of `prompt`, those that the provider had from an earlier request. */
  cached: number;
  completion: number;
}

export interface ToolRun {
  seq: number;
  toolName: string;
  arguments: Record<string, unknown>;
  /** The result that was returned to the model. */
  answer: string;
  ok: boolean;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

/** Results of the wrap-up; written together with the charge. */
export interface WrapUpResult {
  transcript: string;
  evaluation: Record<string, unknown>;
  evaluationError: string | null;
  recordingUrl: string | null;
  carrierCostMicros: bigint;
  totalCostMicros: bigint;
  /** When to ask for the price again; null when it is known. */
  priceCheckAt: Date | null;
}

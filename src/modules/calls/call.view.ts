import type { ProviderFailure } from './provider-failure.js';
import type { CallStatus, CallType, EndedBy } from './states/call-states.js';
import type { Transfer } from './states/call-transfers.js';

/** Snapshot of the assistant's evaluation settings at the start of the call or chat. */
export interface EvaluationPlan {
  model: string;
  schema: { name: string; type: 'string' | 'number' | 'bool'; description: string }[];
}

export interface NewCall {
  accountId: number;
  assistant: { id: number; name: string };
  campaign: { id: number; name: string } | null;
  leadId: number | null;
  type: CallType;
  carrierSid: string | null;
  /** The API request with an idempotency key that created the call, if any. */
  requestId?: string | null;
  assistantPhoneNumber: string;
  clientPhoneNumber: string;
  variables: Record<string, unknown>;
  /** As in `Call`. */
  apiKeyId?: number | null;
  /** A visitor of a web page without a token. */
  visitor?: { key: string; variables: readonly string[] } | null;
  pricePerMinuteMicros: bigint;
  /** See `CallBudget`. */
  holdMicros: bigint;
  /** Seconds. */
  maxDuration: number;
  evaluationPlan: EvaluationPlan | null;
  /** Of a call that was placed before its record is made; default now. */
  createdAt?: Date;
  /** When to request the call's state from the carrier without a report before. */
  checkAt: Date;
}

/** A call for other modules. */
export interface CallView {
  id: number;
  accountId: number;
  assistantId: number;
  assistantName: string;
  /** As in `Call`. */
  apiKeyId: number | null;
  campaignId: number | null;
  leadId: number | null;
  type: CallType;
  status: CallStatus;
  /**
   * In the carrier's callbacks. Of a web call what the database has of its ticket, or, while its line is open, the
   * ticket.
   */
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
  /** Seconds; less than the assistant's when limited by the balance. */
  maxDuration: number;
  transcript: string;
  evaluation: Record<string, unknown>;
  /** Error of an evaluation without values. */
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
  /** Number of started or resumed conversations. */
  conversationClaim: number;
  createdAt: Date;
  answeredAt: Date | null;
  endedAt: Date | null;
}

/** Properties of a call in its view. */
export const CALL_VIEW_PROPERTIES = [
  'id',
  'accountId',
  'assistantId',
  'assistantName',
  'apiKeyId',
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

export const TURN_KINDS = ['speech', 'filler'] as const;
/** `filler`: heard while the customer waited, and no part of the conversation. */
export type TurnKind = (typeof TURN_KINDS)[number];

export interface CallTurnView {
  /** Increases within the call, together with tool runs. */
  seq: number;
  role: 'assistant' | 'customer';
  kind: TurnKind;
  text: string;
  interrupted: boolean;
  /** Milliseconds since the epoch, by name; `heardTo` counts characters. */
  timings: Record<string, number>;
}

/** Tokens of one response of a language model. */
export interface ModelUsageRecord {
  /** `seq` of the last turn or tool run before the end of the response; 0 for none. */
  afterSeq: number;
  model: string;
  prompt: number;
  /** Tokens of `prompt` from the provider's cache. */
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
  /** When to request the price again; null: it is known. */
  priceCheckAt: Date | null;
}

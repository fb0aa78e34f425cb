import type { Clock } from '#src/modules/conversations/engine/clock.js';
import {
  callDuration,
  ENDED_STATUS,
  isAllowedTransition,
  impliedTransitions,
} from '#src/modules/calls/states/call-states.js';
import type { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import {
  TRANSFERRED_REASON,
  wasTransferred,
  applyTransferOutcome,
} from '#src/modules/calls/states/call-transfers.js';
import type { CallTransfersService } from '#src/modules/calls/states/call-transfers.service.js';
import type { CallView, NewCall, ToolRun, CallTurnView } from '#src/modules/calls/call.view.js';
import type { CallsRepository } from '#src/modules/calls/calls.repository.js';
import type {
  ClaimedTranscript,
  TranscriptRepository,
} from '#src/modules/calls/wrap-up/transcript.repository.js';

/** The part of a class that a stand-in implements. */
type Part<T> = Partial<{ [K in keyof T]: T[K] }>;

export const TOKEN = 'token-of-the-call';
const CALL_ID = 1;

/** The one call of a scenario, stored as the database would store it. */
export class CallStore {
  call: CallView | null = null;
  settingsNotApplied: string[] = [];
  isScreened = false;
  readonly toolRuns: ToolRun[] = [];
  private readonly turns = new Map<number, CallTurnView>();

  constructor(private readonly clock: Clock) {}

  get transcript(): CallTurnView[] {
    return [...this.turns.values()].sort((one, other) => one.seq - other.seq);
  }

  readonly calls: Part<CallsRepository> = {
    insertCall: async (_tx: unknown, { assistant, campaign, ...call }: NewCall) => {
      this.call = {
        ...call,
        apiKeyId: call.apiKeyId ?? null,
        visitor: null,
        visitorVariables: [],
        id: CALL_ID,
        token: TOKEN,
        assistantId: assistant.id,
        assistantName: assistant.name,
        campaignId: campaign?.id ?? null,
        status: 'initiated',
        answeredBy: 'unknown',
        endedBy: null,
        endedReason: null,
        duration: 0,
        transcript: '',
        evaluation: {},
        evaluationError: null,
        transfers: [],
        settingsNotApplied: [],
        providerFailures: [],
        recordingUrl: null,
        totalCostMicros: 0n,
        wrapUpAttempts: 0,
        conversationClaim: 0,
        createdAt: this.now(),
        answeredAt: null,
        endedAt: null,
      };
      return { id: CALL_ID, token: TOKEN };
    },
    findByToken: async (token) => (token === TOKEN ? this.call : null),
    findBySid: async (sid) => (this.call?.carrierSid === sid ? this.call : null),
    findView: async () => this.call,
    findEndedCall: async () => this.call && { ...this.call, actions: [] },
    countRunning: async () => 0,
    claimConversation: async () => (this.call?.endedBy ? null : this.claim()),
    claimTranscript: async () => this.claim(),
    setVariables: async (_id, variables) => this.change({ variables }),
    storeSettingsNotApplied: async (_id, names) => {
      this.settingsNotApplied = [...names];
      this.change({ settingsNotApplied: [...names] });
    },
  };

  readonly callState: Part<CallStateService> = {
    applyReport: async (_id, { sid, status, answeredBy, recordingUrl }) => {
      const { call } = this;
      if (!call) return null;
      call.carrierSid ??= sid;
      if (answeredBy && answeredBy !== 'unknown' && !this.isScreened) call.answeredBy = answeredBy;
      if (recordingUrl !== undefined) call.recordingUrl = recordingUrl;
      for (const step of status ? impliedTransitions(call, status) : []) {
        if (!isAllowedTransition(call.status, step)) continue;
        call.status = step;
        if (step === 'in-progress') call.answeredAt = this.now();
        if (Object.values(ENDED_STATUS).includes(step)) {
          call.endedAt = this.now();
          call.endedBy ??= 'customer';
          call.transfers = applyTransferOutcome(call.transfers, 'canceled');
          call.endedReason ??= wasTransferred(call) ? TRANSFERRED_REASON : 'customer_hangup';
          call.duration = callDuration(call, call.endedAt, undefined);
        }
      }
      return call;
    },
    markEnded: async (_id, endedBy, endedReason) => {
      if (this.call && !this.call.endedBy && !this.call.endedAt) this.change({ endedBy, endedReason });
    },
    concludeConversation: async (_id, _claim, end) => {
      if (end && this.call && !this.call.endedBy && !this.call.endedAt)
        this.change({ endedBy: end.endedBy, endedReason: end.reason });
    },
    markVoicemail: async () => {
      if (!this.call || this.call.endedBy || this.call.endedAt || this.isScreened) return false;
      this.change({ endedBy: 'system', endedReason: 'voicemail' });
      return true;
    },
    markAnsweredByScreening: async () => void (this.isScreened = true),
    markAnsweredByMenu: async () => {
      this.isScreened = true;
      if (this.call?.answeredBy === 'machine') this.change({ answeredBy: 'unknown' });
    },
    markAnsweredByPerson: async () => {
      if (!this.isScreened && this.call && !this.call.endedBy) this.change({ answeredBy: 'human' });
    },
    markScreeningEnded: async (_id, answeredBy) => {
      if (answeredBy === 'machine') this.isScreened = false;
      this.change({ answeredBy });
    },
    rejectCall: async (_tx, _id, endedReason) =>
      this.change({ status: 'busy', endedReason, endedAt: this.now() }),
  };

  readonly transfers: Part<CallTransfersService> = {
    beginTransfer: async ({ seq, name, to }) => {
      const { call } = this;
      if (!call || call.endedBy || call.endedAt) return;
      const at = this.now().toISOString();
      call.transfers = [...call.transfers, { seq, name, to, status: 'dialing', at }];
      const outcome = { answer: 'begun', ok: true, statusCode: null, durationMs: 0, error: null };
      this.toolRuns.push({ seq, toolName: 'transfer_call', arguments: { to: name }, ...outcome });
    },
    concludeTransfer: async (_id, seq, outcome) => {
      const { call } = this;
      if (!call) return null;
      call.transfers = applyTransferOutcome(call.transfers, outcome, seq);
      const transfer = call.transfers.find((one) => one.seq === seq) ?? null;
      const run = this.toolRuns.find((one) => one.seq === seq);
      if (run && transfer && transfer.status !== 'answered')
        Object.assign(run, { ok: false, answer: transfer.status });
      return transfer;
    },
  };

  private readonly claimed: Part<ClaimedTranscript> = {
    saveTurn: async (turn) => void this.turns.set(turn.seq, turn),
    truncateTurn: async (seq, text, interruptedAt) => {
      const turn = this.turns.get(seq);
      if (!turn || text === '') this.turns.delete(seq);
      else {
        const timings = { ...turn.timings, interrupted: interruptedAt };
        this.turns.set(seq, { ...turn, text, interrupted: true, timings });
      }
    },
    markPlayed: async (seq, played) => this.time(seq, { played }),
    saveModelUsage: async () => undefined,
    flush: () => undefined,
    saveToolRun: async (run) => void this.toolRuns.push(run),
  };

  readonly transcriptRows: Part<TranscriptRepository> = {
    openClaimedTranscript: () => this.claimed as ClaimedTranscript,
    findTurns: async () => this.transcript,
    findToolRuns: async () => this.toolRuns,
  };

  private time(seq: number, timings: Record<string, number>): void {
    const turn = this.turns.get(seq);
    if (turn) this.turns.set(seq, { ...turn, timings: { ...turn.timings, ...timings } });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }

  private claim(): number {
    const conversationClaim = (this.call?.conversationClaim ?? 0) + 1;
    this.change({ conversationClaim });
    return conversationClaim;
  }

  private change(values: Partial<CallView>): void {
    if (this.call) Object.assign(this.call, values);
  }
}

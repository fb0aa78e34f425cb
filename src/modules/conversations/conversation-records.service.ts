import { Injectable } from '@nestjs/common';
import { VOICEMAIL_TOOL } from '#src/modules/calls/states/call-actions.js';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { CallTransfersService } from '#src/modules/calls/states/call-transfers.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { isPhoneNumber } from '../calls/client-number.js';
import { type ClaimedTranscript, TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import type { CallView } from '../calls/call.view.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { VoicemailService } from './voicemail.service.js';
import { CallRecorder } from './call-recorder.js';
import {
  isGreetingHeard,
  isAnswered,
  isSameSession,
  findPlayingTurns,
  findTruncatedTurns,
} from './earlier-turns.js';
import { Clock } from './engine/clock.js';
import type { ConversationSettings } from './engine/conversation-settings.js';
import type { EarlierConversation, HistoryEntry } from './engine/earlier-conversation.js';

/** Write access of one process to a conversation, until another process takes the call over. */
export interface ConversationRecords {
  recorder: CallRecorder;
  /** Null for a conversation that begins. */
  earlier: EarlierConversation | null;
  /** Whether machine detection has reported a person. */
  isReportedPerson: () => Promise<boolean>;
}

/** Claims the record of a call for the conversation that begins or resumes in this process. */
@Injectable()
export class ConversationRecordsService {
  constructor(
    private readonly clock: Clock,
    private readonly transcript: TranscriptRepository,
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly transfers: CallTransfersService,
    private readonly suppressions: SuppressionsService,
    private readonly voicemail: VoicemailService,
  ) {}

  /**
   * @param documentAt as in `CarrierCallHandler.converse`
   * @returns null: the conversation has been ended
   */
  async claimRecords(
    call: CallView,
    settings: ConversationSettings,
    documentAt: number,
  ): Promise<ConversationRecords | null> {
    const claim = await this.calls.claimConversation(call.id);
    if (claim === null) return null;
    const transcript = this.transcript.openClaimedTranscript(call.id, claim);
    return {
      recorder: new CallRecorder(transcript, {
        addSuppression: () => this.addSuppression(call),
        storeScreening: (step) => this.voicemail.handleScreening(call, step),
        beginTransfer: ({ seq, name, phoneNumber: to }) =>
          this.transfers.beginTransfer({ callId: call.id, accountId: call.accountId, claim, seq, name, to }),
        concludeCall: (result) => this.callState.concludeConversation(call.id, claim, result),
      }),
      isReportedPerson: async () => (await this.calls.findView(call.id))?.answeredBy === 'human',
      // Nothing is stored before the first claim.
      earlier: claim === 1 ? null : await this.loadEarlier(call, transcript, { ...settings, documentAt }),
    };
  }

  /** The turns stored before the session broke. */
  private async loadEarlier(
    call: CallView,
    transcript: ClaimedTranscript,
    session: { speechSpeed: number; documentAt: number },
  ): Promise<EarlierConversation | null> {
    const stored = await this.transcript.findTurns(call.id);
    if (stored.length === 0) return null;
    const isReconnected = isSameSession(stored, session.documentAt);
    for (const { seq, heard } of isReconnected ? [] : findTruncatedTurns(stored, session)) {
      await transcript.truncateTurn(seq, heard, this.clock.now());
    }
    const [turns, allRuns] = await Promise.all([
      this.transcript.findTurns(call.id),
      this.transcript.findToolRuns(call.id),
    ]);
    // Unlike a user's tool of this name, the entry is not for the model; the call may have ended while this
    // conversation
    // began.
    const runs = allRuns.filter(({ toolName, answer }) => toolName !== VOICEMAIL_TOOL || answer !== '');
    const history: HistoryEntry[] = [
      ...turns.map(({ seq, role, kind, text }) =>
        kind === 'filler' ? { role: kind, seq } : { role, seq, text },
      ),
      ...runs.map(({ seq, toolName, arguments: args, answer }) => ({
        role: 'tool' as const,
        seq,
        name: toolName,
        arguments: args,
        answer,
      })),
    ];
    const since = call.answeredAt ?? call.createdAt;
    const elapsedSeconds = Math.max(0, (this.clock.now() - since.getTime()) / 1000);
    history.sort((a, b) => a.seq - b.seq);
    return {
      history,
      elapsedSeconds,
      transferFailed: call.transfers.some(({ seq }) => seq === history.at(-1)?.seq),
      repeatsGreeting: !isReconnected && !isGreetingHeard(stored),
      playing: isReconnected ? findPlayingTurns(stored) : null,
      // After a tool run that follows the last turn, the response is outstanding.
      isAnswered: isReconnected && isAnswered(turns, Math.max(0, ...runs.map(({ seq }) => seq))),
    };
  }

  private async addSuppression({ accountId, clientPhoneNumber }: CallView): Promise<void> {
    if (!isPhoneNumber(clientPhoneNumber)) return;
    const reason = 'Asked on a call not to be called again';
    await this.suppressions.addSuppression({
      accountId,
      phoneNumber: clientPhoneNumber,
      reason,
      source: 'call',
    });
  }
}

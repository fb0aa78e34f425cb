import { Injectable } from '@nestjs/common';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView, CallTurnView } from '../calls/call.view.js';
import { type ClaimedTranscript, TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import { msPerCharacter } from '../speech/speech-length.js';
import type { CallInstructions } from '../telephony/carrier-reports.js';
import { findTruncatedTurns } from './earlier-turns.js';
import { Clock } from './engine/clock.js';
import type { ConversationSettings } from './engine/conversation-settings.js';
import { packOf } from './languages/languages.js';
import { estimateHeardText } from './engine/speech.js';

/** The carrier's announcements outside of sessions have normal speed. */
const NORMAL_SPEED = 1;

/** Announcements of the carrier before and after sessions, and their transcript. */
@Injectable()
export class CarrierAnnouncementsService {
  constructor(
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly transcript: TranscriptRepository,
    private readonly clock: Clock,
  ) {}

  /** Ends a call after too many broken sessions, with an apology. */
  async planConnectionLost(call: CallView, settings: ConversationSettings): Promise<CallInstructions> {
    const { language, speechSpeed } = settings;
    await this.callState.markEnded(call.id, 'system', 'connection_lost');
    const text = packOf(language).phrases.technicalProblem;
    await this.beginAnnouncement(call.id, text, speechSpeed);
    return { kind: 'hangup', say: { text, language } };
  }

  /** Stores the start of an announcement; idempotent. */
  async beginAnnouncement(callId: number, text: string, speechSpeed: number): Promise<void> {
    const { claimed, turns } = await this.claimTranscript(callId);
    if (isLast(turns, text)) return;
    const runs = await this.transcript.findToolRuns(callId);
    // The process of the ended session may not have stored yet what was heard.
    await this.truncateTurns(claimed, turns, speechSpeed);
    const seq = Math.max(0, ...[...turns, ...runs].map((stored) => stored.seq)) + 1;
    const timings = { textFirst: this.clock.now() };
    await claimed.saveTurn({ seq, role: 'assistant', kind: 'speech', text, interrupted: false, timings });
  }

  /** Stores a complete notice before a session that never opened. @returns the updated call */
  async storeSpokenNotice(call: CallView, notice: string): Promise<CallView> {
    const resumed = { ...call, conversationClaim: await this.calls.claimTranscript(call.id) };
    await this.storeHeardNotice(resumed, notice, Infinity);
    return resumed;
  }

  /** Stores the heard part of a notice after `ms`, before any session and greeting. */
  async storeHeardNotice(call: CallView, notice: string, ms: number): Promise<void> {
    const text = estimateHeardText(notice, ms, msPerCharacter(notice, NORMAL_SPEED));
    if (text === '') return;
    const textFirst = (call.answeredAt ?? call.createdAt).getTime();
    const turn = { seq: 1, role: 'assistant', kind: 'speech', text, interrupted: true } as const;
    const transcript = this.transcript.openClaimedTranscript(call.id, call.conversationClaim);
    await transcript.saveTurn({ ...turn, timings: { textFirst } });
  }

  /** The announcement was played to its end. */
  async markPlayed(callId: number): Promise<void> {
    const { claimed, turns } = await this.claimTranscript(callId);
    const last = turns.at(-1);
    if (last) await claimed.markPlayed(last.seq, this.clock.now());
  }

  /** At the end of the call: shortens the announcement to its heard part. */
  async truncateAnnouncement(callId: number, text: string): Promise<void> {
    const { claimed, turns } = await this.claimTranscript(callId);
    if (isLast(turns, text)) await this.truncateTurns(claimed, turns.slice(-1), NORMAL_SPEED);
  }

  private async claimTranscript(
    callId: number,
  ): Promise<{ claimed: ClaimedTranscript; turns: CallTurnView[] }> {
    const claimed = this.transcript.openClaimedTranscript(callId, await this.calls.claimTranscript(callId));
    return { claimed, turns: await this.transcript.findTurns(callId) };
  }

  private async truncateTurns(
    claimed: ClaimedTranscript,
    turns: CallTurnView[],
    speechSpeed: number,
  ): Promise<void> {
    const now = this.clock.now();
    for (const { seq, heard } of findTruncatedTurns(turns, { speechSpeed, documentAt: now })) {
      await claimed.truncateTurn(seq, heard, now);
    }
  }
}

function isLast(turns: readonly CallTurnView[], text: string): boolean {
  const last = turns.at(-1);
  return last?.role === 'assistant' && last.text === text;
}

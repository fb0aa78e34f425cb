import { Injectable } from '@nestjs/common';
import { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView, CallTurnView } from '../calls/call.view.js';
import { type ClaimedTranscript, TranscriptRepository } from '../calls/wrap-up/transcript.repository.js';
import type { AnswerPlan } from '../telephony/carrier-reports.js';
import { unheardEnds } from './earlier-turns.js';
import { Clock } from './engine/clock.js';
import type { ConversationSettings } from './engine/conversation-settings.js';
import { phrasesFor } from './engine/phrases.js';
import { heardWithin, msPerCharacter } from './engine/speech.js';

/** Outside of sessions, a call is spoken to at normal speed. */
const NORMAL_SPEED = 1;

/** What the carrier says before and after sessions, and its transcript. */
@Injectable()
export class LastWordsService {
  constructor(
    private readonly calls: CallsRepository,
    private readonly callState: CallStateService,
    private readonly transcript: TranscriptRepository,
    private readonly clock: Clock,
  ) {}

  /** Sessions broke too often: the call ends with a sentence. */
  async giveUp(call: CallView, settings: ConversationSettings): Promise<AnswerPlan> {
    const { language, speechSpeed } = settings;
    await this.callState.markEnded(call.id, 'system', 'connection_lost');
    const text = phrasesFor(language).trouble;
    await this.begin(call.id, text, speechSpeed);
    return { kind: 'hangup', say: { text, language } };
  }

  /** The carrier begins to say this. Repeated, it changes nothing. */
  async begin(callId: number, text: string, speechSpeed: number): Promise<void> {
    const { claimed, turns } = await this.claim(callId);
    if (isLast(turns, text)) return;
    const runs = await this.transcript.toolRuns(callId);
    // The process of the session that is over may not have said yet what was heard.
    await this.cut(claimed, turns, speechSpeed);
    const seq = Math.max(0, ...[...turns, ...runs].map((stored) => stored.seq)) + 1;
    const timings = { textFirst: this.clock.now() };
    await claimed.saveTurn({ seq, role: 'assistant', text, interrupted: false, timings });
  }

  /** A notice was said to its end, before a session that did not come about. @returns the call as it goes on */
  async noticeSaid(call: CallView, notice: string): Promise<CallView> {
    const resumed = { ...call, conversationClaim: await this.calls.claimTranscript(call.id) };
    await this.noticeHeard(resumed, notice, Infinity);
    return resumed;
  }

  /** A notice has been said for `ms`, before any session: the greeting that belongs to it has not begun. */
  async noticeHeard(call: CallView, notice: string, ms: number): Promise<void> {
    const text = heardWithin(notice, ms, msPerCharacter(NORMAL_SPEED));
    if (text === '') return;
    const textFirst = (call.answeredAt ?? call.createdAt).getTime();
    const turn = { seq: 1, role: 'assistant' as const, text, interrupted: true, timings: { textFirst } };
    await this.transcript.forClaim(call.id, call.conversationClaim).saveTurn(turn);
  }

  /** Everything was said. */
  async finish(callId: number): Promise<void> {
    const { claimed, turns } = await this.claim(callId);
    const last = turns.at(-1);
    if (last) await claimed.markPlayed(last.seq, this.clock.now());
  }

  /** The call is over: what was not said of this is cut. */
  async end(callId: number, text: string): Promise<void> {
    const { claimed, turns } = await this.claim(callId);
    if (isLast(turns, text)) await this.cut(claimed, turns.slice(-1), NORMAL_SPEED);
  }

  private async claim(callId: number): Promise<{ claimed: ClaimedTranscript; turns: CallTurnView[] }> {
    const claimed = this.transcript.forClaim(callId, await this.calls.claimTranscript(callId));
    return { claimed, turns: await this.transcript.turns(callId) };
  }

  private async cut(claimed: ClaimedTranscript, turns: CallTurnView[], speechSpeed: number): Promise<void> {
    const now = this.clock.now();
    for (const { seq, heard } of unheardEnds(turns, { speechSpeed, documentAt: now })) {
      await claimed.cutTurn(seq, heard, now);
    }
  }
}

function isLast(turns: readonly CallTurnView[], text: string): boolean {
  const last = turns.at(-1);
  return last?.role === 'assistant' && last.text === text;
}

import type { CallSession, CallSessionEvent } from '#src/modules/telephony/call-session.js';
import { AssistantTurn, type TurnOutcome } from './assistant-turn.js';
import { CallScreening, SCREENING_MS, screenedFloor, type ScreeningCue } from './call-screening.js';
import type { ConversationParts } from './conversation-parts.js';
import { RecordingQueue } from './conversation-recorder.js';
import {
  type ConversationSettings,
  resultOf,
  type ConversationResult,
  type EndReason,
  type TransferTarget,
} from './conversation-settings.js';
import type { EarlierConversation } from './earlier-conversation.js';
import { TurnQueue } from './turn-queue.js';
import { CustomerVoice } from './customer-voice.js';
import { DtmfCollector } from './dtmf-collector.js';
import { type Cut, Playback } from './playback.js';
import { SilenceWatch, silenceLimits } from './silence-watch.js';
import { Speaker, speechOptions } from './speaker.js';
import type { Speech } from './speech.js';
import { SpokenLanguage } from './spoken-language.js';
import { Transcript } from './transcript.js';
import { transferPhrases } from './transfer-choice.js';
import { turnTools, type TurnTools } from './turn-tools.js';
import { interruptionDecision, countWords, isBackchannel } from './interruption-policy.js';

/** Runs one conversation: who may speak, what was heard, when it is over and why. It handles turns, not transport. */
export class ConversationEngine {
  private readonly session: CallSession;
  private readonly language: SpokenLanguage;
  private readonly records: RecordingQueue;
  private readonly transcript: Transcript;
  private readonly playback: Playback;
  private readonly speaker: Speaker;
  private readonly silence: SilenceWatch;
  private readonly digits: DtmfCollector;
  private readonly voice: CustomerVoice;
  private readonly screening: CallScreening;
  private readonly cues = new TurnQueue();
  private readonly over = new AbortController();
  private readonly shared: TurnTools;
  private turn: AssistantTurn | null = null;
  private failures = 0;
  private closed = false;
  private result: ConversationResult | null = null;
  private cancelLimit: () => void = () => undefined;
  private release: () => void = () => undefined;

  constructor(
    private readonly parts: ConversationParts,
    private readonly settings: ConversationSettings,
    private readonly earlier: EarlierConversation | null = null,
  ) {
    const { clock, session, recorder } = parts;
    this.session = session;
    this.language = new SpokenLanguage(settings, session);
    this.screening = new CallScreening(settings.pressesKeys, earlier?.history ?? []);
    this.records = new RecordingQueue(recorder, clock);
    this.transcript = new Transcript(clock, this.records, earlier?.history ?? []);
    const listener = {
      reported: (speech: Speech) => this.transcript.saying(speech),
      played: (speech: Speech) => {
        this.transcript.played(speech);
        this.settle();
      },
      stopped: (cuts: readonly Cut[]) => cuts.forEach((cut) => this.transcript.cut(cut)),
    };
    this.playback = new Playback(clock, listener, settings.speechSpeed, session.playsAudio);
    this.voice = new CustomerVoice(clock, () => this.settle(), session.wordsFollowMs);
    this.speaker = new Speaker({
      clock,
      session,
      playback: this.playback,
      transcript: this.transcript,
      options: speechOptions(settings),
      customerSpeaks: () => this.voice.hasWord,
    });
    this.silence = new SilenceWatch(clock, silenceLimits(settings, earlier), {
      reengage: () => this.cues.enqueueTurn('reengage'),
      tooLong: () => void this.end('silence', this.language.phrases.silence),
    });
    this.digits = new DtmfCollector(
      clock,
      (keys) => this.mayBeHeard(keys.text) && this.heard({ ...keys, words: Infinity }),
    );
    const { speaker, transcript, language, voice } = this;
    const own = { speaker, transcript, language, voice, over: this.over.signal };
    this.shared = turnTools({ ...parts, ...own, onAsk: () => this.cues.answered() }, settings);
  }

  /** Resolves when the conversation is over and the recorder has received all of it, unless that is away for long. */
  async run(): Promise<ConversationResult> {
    const released = new Promise<void>((resolve) => (this.release = resolve));
    const leftMs = (this.settings.maxDurationSeconds - (this.earlier?.elapsedSeconds ?? 0)) * 1000;
    const timeUp = () => void this.end('max_duration', this.language.phrases.timeUp);
    this.cancelLimit = this.parts.clock.setTimeout(timeUp, leftMs);
    this.open();
    this.session.onEvent((event) => this.hear(event));
    this.settle();
    await Promise.all([this.takeTurns(), released]);
    const result = this.result ?? resultOf('line_lost');
    await this.records.concluded(result);
    return result;
  }

  private open(): void {
    const { earlier, settings } = this;
    const { greeting } = settings;
    this.language.restore(earlier?.history ?? []);
    if (earlier?.playing) this.speaker.resumed(earlier.playing);
    const said = (settings.noticeSaid && settings.notice) || '';
    const first = earlier ? earlier.repeatsGreeting && greeting : (greeting ?? said);
    if (first) this.speaker.greeted(first, said);
    else if (earlier?.transferFailed) this.speaker.sayWhole(transferPhrases(this.language.tag).unreached);
    else if (earlier && this.transcript.memory.awaitsAnswer) this.cues.enqueueTurn('answer');
    else if (earlier && !earlier.isAnswered) this.cues.enqueueTurn('resume');
  }

  private hear(event: CallSessionEvent): void {
    if (this.closed) return;
    switch (event.kind) {
      case 'utterance':
        if (event.final) this.heardUtterance(event.text);
        else this.customerSpoke(true);
        break;
      case 'interrupted':
        this.silence.reset();
        this.speaker.interrupted(event.heard);
        break;
      case 'digit':
        this.silence.reset();
        this.digits.push(event.digit);
        break;
      case 'speaking':
        if (event.who === 'assistant') this.playback.spoken(event.on);
        else this.customerSpoke(event.on);
        break;
      case 'played':
        this.playback.played(event.text);
        break;
      case 'leaving':
      case 'closed':
        this.decide('line_lost');
        if (event.kind === 'closed') this.close(event.playsOn);
        break;
    }
    this.settle();
  }

  private customerSpoke(on: boolean): void {
    if (on) this.voice.began();
    else this.voice.ended();
    this.silence.reset();
  }

  /** Before anything else is done with it: a sender of too much must cost nothing. */
  private mayBeHeard(text: string): boolean {
    const allowed = this.parts.allowance?.takes(text.length, this.parts.clock.now()) ?? 'yes';
    if (allowed === 'yes') return true;
    this.speaker.resume();
    this.voice.silent();
    if (allowed === 'over') void this.end('max_duration', this.language.phrases.timeUp);
    return false;
  }

  private heardUtterance(text: string): void {
    if (!this.mayBeHeard(text)) return;
    const { tag } = this.language;
    const backchannel = isBackchannel(text, tag) && !this.speaker.nearlyHeard;
    this.heard({ text: text.trim(), words: countWords(text, tag), backchannel });
  }

  private heard(said: { text: string; record?: string; words: number; backchannel?: boolean }): void {
    const { text, record = text, words, backchannel = false } = said;
    this.silence.reset(words > 0);
    const screening = words > 0 && record === text ? this.screened(text) : null;
    const decision = interruptionDecision({
      words,
      backchannel,
      assistantSpeaks: this.speaker.playing || this.speaker.holding,
      toolRuns: this.turn?.toolRuns ?? false,
      allowInterruptions: this.settings.allowInterruptions && !this.speaker.mustBeHeard,
      minInterruptWords: this.settings.minInterruptWords,
    });
    const floor = screening ? screenedFloor(screening, decision) : decision;
    if (floor === 'ignore') {
      if (words > 0) this.transcript.customer(text, record, this.voice.takeLastSound());
      this.speaker.resume();
    } else {
      this.speaker.drop();
      this.transcript.customer(text, record, this.voice.takeLastSound());
      if (!this.result) this.take(floor, screening);
    }
    // Last, so that who waits for the customer's words finds them.
    this.voice.silent();
  }

  /** Call screening takes its time: nobody is asked whether they are still there. */
  private screened(text: string): ScreeningCue | null {
    const cue = this.screening.hear(text, this.language.tag);
    if (cue && cue !== 'holds') this.transcript.screening(cue);
    if (cue === 'asked' || cue === 'holds') this.silence.waitFor(SCREENING_MS);
    return cue;
  }

  private take(floor: 'take' | 'wait', screening: ScreeningCue | null): void {
    const unspoken = this.turn && !this.turn.spoke && !this.turn.toolRuns;
    if (floor === 'take' || unspoken) this.turn?.abort();
    if (floor === 'take' && this.speaker.playing) this.speaker.giveWay();
    this.cues.enqueueTurn(this.screening.turnAfter(screening));
  }

  /** Runs one turn after the other, each with everything that was said so far. */
  private async takeTurns(): Promise<void> {
    let resumes = this.earlier !== null;
    for (let cue = await this.cues.next(); cue !== null; cue = await this.cues.next()) {
      if (!this.settings.allowInterruptions) await this.speaker.silent();
      if (this.result) return;
      await this.sayNotice();
      if (this.result) return;
      const turn = (this.turn = new AssistantTurn(this.shared, cue, resumes));
      resumes = false;
      this.settle();
      const outcome = await turn.run();
      this.turn = null;
      await this.follow(outcome, turn);
      this.settle();
    }
  }

  /** What the law wants said comes before anything else, also when the customer speaks first. */
  private async sayNotice(): Promise<void> {
    const { notice } = this.settings;
    const isNew = this.screening.takeNewPerson();
    if (!notice || (!isNew && this.transcript.memory.wasSaid(notice))) return;
    await this.voice.finished();
    if (!this.closed) this.speaker.sayProtected(notice);
  }

  private async follow(outcome: TurnOutcome, { spoke, transfer }: AssistantTurn): Promise<void> {
    if (outcome === 'late') return void this.end('model_error', this.language.phrases.trouble);
    if (outcome === 'failed') return this.failed(spoke);
    if (outcome !== 'aborted') this.failures = 0;
    if (outcome === 'stop_calling') this.records.push((recorder) => recorder.stopCalling());
    if (outcome === 'goodbye') void this.end('goodbye', spoke ? '' : this.language.phrases.goodbye);
    if (outcome === 'stop_calling') void this.end('stop_calling', spoke ? '' : this.language.phrases.removed);
    if (transfer)
      void this.end('transferred', spoke ? '' : transferPhrases(this.language.tag).connecting, transfer);
  }

  private async failed(spoke: boolean): Promise<void> {
    this.failures += 1;
    if (this.failures > 1) return void this.end('model_error', this.language.phrases.trouble);
    await this.voice.finished();
    if (this.result || this.cues.awaitsAnswer) return;
    this.speaker.sayWhole(spoke ? this.language.phrases.brokeOff : this.language.phrases.again);
  }

  /** Ends the call, or hands it over, when the farewell was heard; an empty one was said by the model. */
  private async end(reason: EndReason, farewell: string, transfer?: TransferTarget): Promise<void> {
    if (this.result) return;
    this.decide(reason);
    if (farewell) {
      await Promise.all([this.voice.finished(), this.speaker.keysSent()]);
      await this.sayNotice();
      if (!this.closed) this.speaker.sayWhole(farewell);
    } else this.speaker.resume();
    await this.speaker.heardOut();
    if (this.closed) return;
    if (transfer) await this.transcript.transferred(transfer);
    this.session.end(reason);
    this.close();
  }

  /** @param playsOn as in `Speaker.ended` */
  private close(playsOn = false): void {
    this.closed = true;
    this.speaker.ended(playsOn);
    this.voice.silent();
    this.release();
  }

  /** An earlier reason is kept. */
  private decide(reason: EndReason): void {
    this.result ??= resultOf(reason);
    this.turn?.abort();
    this.over.abort();
    this.cues.close();
    this.digits.flush();
    this.cancelLimit();
    this.settle();
  }

  /** Silence counts only while the assistant neither speaks nor works on an answer. */
  private settle(): void {
    const busy = this.turn || this.speaker.playing || this.speaker.holding || this.voice.speaks;
    this.silence.run(!busy && !this.result);
  }
}

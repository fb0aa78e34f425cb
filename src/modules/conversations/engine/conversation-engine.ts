import type { CallSessionEvent } from '#src/modules/telephony/call-session.js';
import { AssistantTurn, type TurnOutcome } from './assistant-turn.js';
import { CallScreening } from './call-screening.js';
import type { ConversationDependencies } from './conversation-dependencies.js';
import { RecorderQueue } from './conversation-recorder.js';
import { toConversationResult, type ConversationResult, type EndReason } from './conversation-settings.js';
import type { ConversationSettings, TransferTarget } from './conversation-settings.js';
import type { EarlierConversation } from './earlier-conversation.js';
import { TurnQueue } from './turn-queue.js';
import { CustomerSpeech } from './customer-speech.js';
import { DtmfCollector } from './dtmf-collector.js';
import { ClosingWords } from './closing-words.js';
import { CustomerInput } from './customer-input.js';
import { LegalNotice } from './legal-notice.js';
import { MailboxHold } from './mailbox-hold.js';
import { Playback } from './playback.js';
import { SilenceTimer, silenceLimits } from './silence-timer.js';
import { Speaker } from './speaker.js';
import { speechOptions } from './speech-options.js';
import { SpokenLanguage } from './spoken-language.js';
import { Transcript } from './transcript.js';
import { createTurnContext, type TurnContext } from './turn-context.js';

/** Events that count after the end, see `CallSession.waitForWords`. */
const isOfLastWords = (event: CallSessionEvent): boolean =>
  event.kind === 'committed' || (event.kind === 'utterance' && event.final);

/** Runs one conversation: turn-taking, transcript, limits and end. It is independent of the transport. */
export class ConversationEngine {
  private readonly language: SpokenLanguage;
  private readonly recorderQueue: RecorderQueue;
  private readonly transcript: Transcript;
  private readonly playback: Playback;
  private readonly speaker: Speaker;
  private readonly silenceTimer: SilenceTimer;
  private readonly digits: DtmfCollector;
  private readonly customerSpeech: CustomerSpeech;
  private readonly screening: CallScreening;
  private readonly mailbox: MailboxHold;
  private readonly turnQueue = new TurnQueue();
  private readonly endController = new AbortController();
  private readonly turnContext: TurnContext;
  private readonly closingWords: ClosingWords;
  private readonly notice: LegalNotice;
  private readonly input: CustomerInput;
  private currentTurn: AssistantTurn | null = null;
  private failures = 0;
  private closed = false;
  private result: ConversationResult | null = null;
  private cancelLimit: () => void = () => undefined;
  private resolveReleased: () => void = () => undefined;

  constructor(
    private readonly dependencies: ConversationDependencies,
    private readonly settings: ConversationSettings,
    private readonly earlier: EarlierConversation | null = null,
  ) {
    const { clock, session, recorder } = dependencies;
    this.language = new SpokenLanguage(settings, session);
    this.screening = new CallScreening(settings.pressesKeys, earlier?.history ?? []);
    const { isReportedPerson = async () => false } = dependencies;
    this.mailbox = new MailboxHold(clock, settings.pressesKeys, isReportedPerson, () =>
      this.turnQueue.enqueueTurn('answer'),
    );
    this.recorderQueue = new RecorderQueue(recorder, clock);
    const { redactor = null } = dependencies;
    this.transcript = new Transcript(clock, this.recorderQueue, earlier?.history ?? [], redactor);
    const listener = this.transcript.playbackListener(() => this.updateTimer());
    this.playback = new Playback(clock, listener, settings.speechSpeed, session.playsAudio);
    this.customerSpeech = new CustomerSpeech(clock, session, () => this.updateTimer());
    this.speaker = new Speaker({
      clock,
      session,
      playback: this.playback,
      transcript: this.transcript,
      options: speechOptions(settings),
      isCustomerSpeaking: () => this.customerSpeech.isIncomplete,
    });
    this.silenceTimer = new SilenceTimer(clock, silenceLimits(settings, earlier), {
      reengage: () => this.mailbox.isActive || this.turnQueue.enqueueTurn('reengage'),
      tooLong: () => void this.end('silence', this.mailbox.isActive ? '' : this.language.phrases.silence),
    });
    this.digits = new DtmfCollector(clock, (keys) => this.input.handleKeys(keys));
    const { speaker, transcript, language, customerSpeech } = this;
    const { screening, mailbox, silenceTimer, turnQueue } = this;
    const isClosed = (): boolean => this.closed;
    const spoken = { speaker, transcript, customerSpeech, screening };
    this.notice = new LegalNotice(settings.notice, { ...spoken, isClosed });
    this.closingWords = new ClosingWords({ speaker, customerSpeech, sayNotice: () => this.notice.say() });
    this.input = new CustomerInput(
      {
        ...spoken,
        clock,
        language,
        mailbox,
        silenceTimer,
        turnQueue,
        closingWords: this.closingWords,
        allowance: () => dependencies.allowance ?? null,
        currentTurn: () => this.currentTurn,
        isEnding: () => this.result !== null,
        exceeded: () => void this.end('max_duration', this.language.phrases.timeLimit),
      },
      settings,
    );
    const { committedTurns } = this.input;
    const endSignal = this.endController.signal;
    const own = { speaker, transcript, language, customerSpeech, committedTurns, endSignal };
    const onRequest = (): void => this.turnQueue.clearRequestedTurn();
    this.turnContext = createTurnContext({ ...dependencies, ...own, onRequest }, settings);
  }

  /** Resolves when the conversation has ended and all of it is stored, or storing it takes too long. */
  async run(): Promise<ConversationResult> {
    const released = new Promise<void>((resolve) => (this.resolveReleased = resolve));
    const leftMs = (this.settings.maxDurationSeconds - (this.earlier?.elapsedSeconds ?? 0)) * 1000;
    const timeUp = () => void this.end('max_duration', this.language.phrases.timeLimit);
    this.cancelLimit = this.dependencies.clock.setTimeout(timeUp, leftMs);
    this.beginConversation();
    this.dependencies.session.onEvent((event) => this.handleEvent(event));
    this.updateTimer();
    await Promise.all([this.runTurns(), released.then(() => this.recordLastWords())]);
    const result = this.result ?? toConversationResult('line_lost');
    await this.recorderQueue.conclude(result);
    return result;
  }

  private beginConversation(): void {
    const { earlier, settings } = this;
    this.language.restore(earlier?.history ?? []);
    if (earlier?.playing) this.speaker.resumeSentSpeech(earlier.playing);
    const said = (settings.noticeSaid && settings.notice) || '';
    const first = earlier ? earlier.repeatsGreeting && settings.greeting : (settings.greeting ?? said);
    if (first) this.speaker.recordGreeting(first, said);
    else if (earlier?.transferFailed) this.speaker.saySentence(this.language.pack.transfer.unreached);
    else if (earlier && this.transcript.memory.awaitsResponse) this.turnQueue.enqueueTurn('answer');
    else if (earlier && !earlier.isAnswered) this.turnQueue.enqueueTurn('resume');
  }

  /** Words of the customer that arrive after the end are stored, without a response. */
  private async recordLastWords(): Promise<void> {
    await this.dependencies.session.waitForWords?.();
    this.input.close();
  }

  private handleEvent(event: CallSessionEvent): void {
    if (this.closed && !isOfLastWords(event)) return;
    switch (event.kind) {
      case 'utterance':
        if (event.final) this.input.handleUtterance(event.text, event.turn);
        else this.customerSpeech.markHeard();
        break;
      case 'committed':
        this.input.handleCommittedTurn(event.turn, event.voicedMs);
        break;
      case 'reworded':
        this.playback.reword(event.text, event.said);
        break;
      case 'interrupted':
        this.silenceTimer.reset();
        this.speaker.holdInterruptedSpeech(event.heard);
        break;
      case 'digit':
        this.silenceTimer.reset();
        this.digits.push(event.digit);
        break;
      case 'speaking':
        if (event.who === 'assistant') this.playback.handleSpeaking(event.on);
        else this.handleCustomerSpeech(event.on);
        break;
      case 'played':
        this.playback.handlePlayed(event.text);
        break;
      case 'leaving':
      case 'closed':
        this.setResult(this.closingWords.isGoodbyeOpen ? 'goodbye' : 'line_lost');
        if (event.kind === 'closed') this.close(event.playsOn);
        break;
    }
    this.updateTimer();
  }

  private handleCustomerSpeech(on: boolean): void {
    if (on) this.customerSpeech.markStarted();
    else this.customerSpeech.markStopped();
    this.silenceTimer.reset();
  }

  /** Runs one turn after the other, each with the whole conversation so far. */
  private async runTurns(): Promise<void> {
    let resumes = this.earlier !== null;
    for (let due = await this.turnQueue.next(); due !== null; due = await this.turnQueue.next()) {
      if (!this.settings.allowInterruptions) await this.speaker.waitUntilSilent();
      if (this.result) return;
      await this.notice.say();
      if (this.result) return;
      const trigger = this.turnQueue.newestTrigger(due);
      const turn = (this.currentTurn = new AssistantTurn(this.turnContext, trigger, resumes));
      resumes = false;
      this.updateTimer();
      const outcome = await turn.run();
      this.currentTurn = null;
      await this.applyOutcome(outcome, turn);
      this.updateTimer();
    }
  }

  private async applyOutcome(outcome: TurnOutcome, turn: AssistantTurn): Promise<void> {
    const { hasSpoken, transferTarget } = turn;
    const { phrases, pack } = this.language;
    if (outcome === 'late') return void this.end('model_error', phrases.technicalProblem);
    if (outcome === 'failed') return this.handleFailedTurn(hasSpoken);
    if (outcome !== 'aborted') this.failures = 0;
    if (outcome === 'stop_calling') this.recorderQueue.push((recorder) => recorder.suppressNumber());
    if (outcome === 'goodbye') return this.end('goodbye', hasSpoken ? '' : phrases.goodbye);
    if (outcome === 'stop_calling') void this.end('stop_calling', hasSpoken ? '' : phrases.suppressed);
    const farewell = hasSpoken ? '' : pack.transfer.connecting;
    if (transferTarget) void this.end('transferred', farewell, transferTarget);
  }

  private async handleFailedTurn(hasSpoken: boolean): Promise<void> {
    const { phrases } = this.language;
    if (++this.failures > 1) return void this.end('model_error', phrases.technicalProblem);
    await this.customerSpeech.waitUntilComplete();
    if (this.result || this.turnQueue.awaitsResponse) return;
    this.speaker.saySentence(hasSpoken ? phrases.interrupted : phrases.askToRepeat);
  }

  /**
   * Ends or transfers the call after the farewell was heard; empty: the model has said it. The call continues when the
   * customer interrupts a goodbye.
   */
  private async end(reason: EndReason, farewell: string, transfer?: TransferTarget): Promise<void> {
    if (this.result) return;
    const isGoodbye = reason === 'goodbye';
    if (isGoodbye && (await this.closingWords.sayUnlessInterrupted(farewell))) return;
    this.setResult(reason);
    if (!isGoodbye) await this.closingWords.say(farewell);
    if (this.closed) return;
    if (transfer) await this.transcript.storeTransfer(transfer);
    this.dependencies.session.end(reason);
    this.close();
  }

  private close(playsOn = false): void {
    this.closed = true;
    this.speaker.endSession(playsOn);
    this.customerSpeech.markComplete();
    this.closingWords.close();
    this.resolveReleased();
  }

  private setResult(reason: EndReason): void {
    this.result ??= toConversationResult(reason);
    this.currentTurn?.abort();
    this.endController.abort();
    this.turnQueue.close();
    this.digits.flush();
    this.cancelLimit();
    this.updateTimer();
  }

  /** Silence counts only while the assistant neither speaks nor prepares a response. */
  private updateTimer(): void {
    const isSpeaking = this.speaker.isTalking || this.customerSpeech.isSpeaking;
    const isEnding = this.closingWords.isGoodbyeOpen || this.result !== null;
    this.silenceTimer.setRunning(!this.currentTurn && !isSpeaking && !isEnding);
  }
}

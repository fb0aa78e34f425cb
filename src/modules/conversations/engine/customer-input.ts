import type { AssistantTurn } from './assistant-turn.js';
import { type CallScreening, decideScreening, SCREENING_MS, type ScreeningEvent } from './call-screening.js';
import type { Clock } from './clock.js';
import type { ClosingWords } from './closing-words.js';
import {
  type CommittedTurn,
  CommittedTurns,
  NOT_TRANSCRIBED,
  SURE_VOICE_OVER_SPEECH_MS,
} from './committed-turns.js';
import type { ConversationSettings } from './conversation-settings.js';
import type { CustomerSpeech } from './customer-speech.js';
import { countWords, decideInterruption, isBackchannel } from './interruption-policy.js';
import type { MailboxHold } from './mailbox-hold.js';
import type { SilenceTimer } from './silence-timer.js';
import type { Speaker } from './speaker.js';
import type { SpokenLanguage } from './spoken-language.js';
import type { Transcript } from './transcript.js';
import type { TurnQueue } from './turn-queue.js';
import type { VisitorInputLimit } from './visitor-input-limit.js';

export interface CustomerInputDependencies {
  clock: Clock;
  /** Limits of the customer's input; null: none. */
  allowance: () => VisitorInputLimit | null;
  speaker: Speaker;
  transcript: Transcript;
  language: SpokenLanguage;
  customerSpeech: CustomerSpeech;
  screening: CallScreening;
  mailbox: MailboxHold;
  silenceTimer: SilenceTimer;
  turnQueue: TurnQueue;
  closingWords: ClosingWords;
  currentTurn: () => AssistantTurn | null;
  /** Whether the conversation has a result: nothing is answered any more. */
  isEnding: () => boolean;
  /** The input is over the limit of the call. */
  exceeded: () => void;
}

interface Input {
  text: string;
  /** For the record; absent: `text`. */
  record?: string;
  words: number;
  backchannel?: boolean;
  /** The input is the words of a committed turn … */
  isOfTurn?: boolean;
  /** … which is not decided yet. */
  turn?: CommittedTurn | null;
}

/** What the customer says or presses: its place in the transcript, and whether the assistant responds to it. */
export class CustomerInput {
  readonly committedTurns: CommittedTurns;

  constructor(
    private readonly dependencies: CustomerInputDependencies,
    private readonly settings: Pick<ConversationSettings, 'allowInterruptions' | 'minInterruptWords'>,
  ) {
    const { currentTurn, turnQueue, speaker } = dependencies;
    this.committedTurns = new CommittedTurns({
      ...dependencies,
      ask: () => {
        currentTurn()?.abort();
        speaker.cutSpeech();
        turnQueue.enqueueTurn('answer');
      },
      withdraw: () => {
        turnQueue.clearRequestedTurn();
        if (!currentTurn()?.hasSpoken) currentTurn()?.abort();
      },
      askForRest: () => turnQueue.enqueueTurn('continue'),
    });
  }

  close(): void {
    this.committedTurns.close();
  }

  /** The model is asked before the words are known, unless they decide whether there is a response. */
  handleCommittedTurn(id: string, voicedMs: number): void {
    const { allowance, clock, speaker, customerSpeech, screening, mailbox, closingWords, isEnding } =
      this.dependencies;
    if (allowance()?.admits(clock.now()) === false) return;
    const turn = this.dependencies.currentTurn();
    const isNoise = customerSpeech.isNoise || voicedMs === 0;
    // The response that is being prepared is not delayed. Words in the noise are heard all the same.
    if (isNoise && turn && !turn.hasSpoken) return this.committedTurns.settle();
    const isStopped = speaker.isSpeechHeld && voicedMs >= SURE_VOICE_OVER_SPEECH_MS;
    const isFree = !turn || (!turn.isToolRunning && (!turn.hasSpoken || isStopped));
    const mayInterrupt = this.settings.allowInterruptions && !speaker.isProtected;
    const isDoubtful = isNoise || customerSpeech.isInNoise;
    const wordsDecide =
      isDoubtful || isEnding() || closingWords.isGoodbyeOpen || screening.isWaiting || mailbox.isActive;
    const isAsked = isFree && !wordsDecide && (mayInterrupt || !speaker.isTalking);
    this.committedTurns.add(id, voicedMs, { isAsked, isStrict: screening.isExpected });
  }

  /** @param id of a committed turn */
  handleUtterance(text: string, id?: string): void {
    const { committedTurns } = this;
    const { language, speaker } = this.dependencies;
    if (id !== undefined && text === NOT_TRANSCRIBED && committedTurns.loseWords(id))
      return committedTurns.settle();
    const turn = committedTurns.take(id);
    if (text !== '' && !this.isWithinAllowance(text)) return turn ? committedTurns.refuse(turn) : undefined;
    // Unknown words do not stop speech that the voice has not stopped.
    const isSound = text === NOT_TRANSCRIBED && speaker.isPlaying;
    const backchannel = isSound || (!speaker.awaitsReply(language.tag) && isBackchannel(text, language.tag));
    const words = countWords(text, language.tag);
    this.handle({ text: text.trim(), words, backchannel, isOfTurn: id !== undefined, turn });
  }

  /** @param keys `record`: the same without the keys, where they are secret */
  handleKeys(keys: { text: string; record?: string }): void {
    if (!this.isWithinAllowance(keys.text)) return;
    this.handle({ ...keys, words: Infinity });
    this.dependencies.customerSpeech.markComplete();
  }

  /** Checked first, so that excess input causes no cost, and no speech is spoken again. */
  private isWithinAllowance(text: string): boolean {
    const { allowance, clock, speaker, customerSpeech, exceeded } = this.dependencies;
    const allowed = allowance()?.admitUtterance(text.length, clock.now()) ?? 'yes';
    if (allowed === 'yes') return true;
    speaker.discardHeldSpeech();
    customerSpeech.markComplete();
    if (allowed === 'over') exceeded();
    return false;
  }

  private handle({ text, record = text, words, backchannel = false, isOfTurn, turn = null }: Input): void {
    const { committedTurns } = this;
    const { speaker, silenceTimer, customerSpeech, closingWords, language, isEnding } = this.dependencies;
    silenceTimer.reset(words > 0);
    customerSpeech.markRecognised(words > 0, isOfTurn ? (turn?.voicedMs ?? 0) : null);
    const screening = words > 0 && record === text ? this.applyScreening(text) : null;
    const decision = this.decide(words, backchannel, turn);
    const applied = screening ? decideScreening(screening, decision) : decision;
    if (words > 0) committedTurns.complete(turn, text, record);
    if (applied !== 'ignore') {
      speaker.discardHeldSpeech();
      const isReturned = closingWords.isFarewellReturned(text, language.tag);
      if (!isEnding() && !isReturned) this.requestTurn(applied, screening, turn);
      if (!screening && record === text) this.applyMailbox(text);
    } else if (turn) {
      if (words > 0) committedTurns.ignore(turn);
      else committedTurns.refuse(turn);
    } else if (customerSpeech.isInNoise || !(isOfTurn ? committedTurns : customerSpeech).hasNewerSpeech)
      speaker.resumeHeldSpeech();
    // Last, so that waiters for the customer's words find them.
    if (isOfTurn) committedTurns.settle();
    else customerSpeech.markTranscribed();
  }

  private decide(words: number, backchannel: boolean, turn: CommittedTurn | null) {
    const { speaker, currentTurn } = this.dependencies;
    return decideInterruption({
      words,
      backchannel,
      assistantSpeaks: speaker.isTalking && !isAnswered(turn),
      toolRuns: !turn?.isAsked && (currentTurn()?.isToolRunning ?? false),
      allowInterruptions: this.settings.allowInterruptions && !speaker.isProtected,
      minInterruptWords: this.settings.minInterruptWords,
    });
  }

  /** Call screening needs time: the silence timer is held. */
  private applyScreening(text: string): ScreeningEvent | null {
    const { screening, transcript, silenceTimer, language } = this.dependencies;
    const event = screening.handleUtterance(text, language.tag);
    if (event && event !== 'holds') transcript.addScreeningStep(event);
    if (event === 'asked' || event === 'holds') silenceTimer.suspendFor(SCREENING_MS);
    return event;
  }

  /** The model is not asked while a mailbox announces itself. */
  private applyMailbox(text: string): void {
    const { mailbox, language, turnQueue, currentTurn } = this.dependencies;
    if (!mailbox.handleUtterance(text, language.tag)) return;
    currentTurn()?.abort();
    turnQueue.clearRequestedTurn();
  }

  /** @param committed the model may have been asked already, with the same instructions */
  private requestTurn(
    decision: 'take' | 'wait',
    screening: ScreeningEvent | null,
    committed: CommittedTurn | null,
  ): void {
    const { speaker, customerSpeech, mailbox, turnQueue, closingWords } = this.dependencies;
    const turn = this.dependencies.currentTurn();
    const trigger = this.dependencies.screening.turnTrigger(screening);
    const isRequested = committed?.isAsked === true && decision === 'take' && trigger === 'answer';
    const unspoken = turn && !turn.hasSpoken && !turn.isToolRunning;
    if (!isRequested && (decision === 'take' || unspoken)) turn?.abort();
    if (decision === 'take' && speaker.isPlaying && !(isRequested && isAnswered(committed)))
      speaker.bargeIn();
    // Words that the customer is still speaking belong to the same request.
    const complete = isRequested ? null : customerSpeech.waitUntilComplete();
    void complete?.then(() => mailbox.isActive || turnQueue.enqueueTurn(trigger));
    // A goodbye is the response to words that arrive after it.
    if (!isRequested) closingWords.interruptGoodbye();
  }
}

/** Whether the response to a turn is spoken before its words are known. */
const isAnswered = (turn: CommittedTurn | null): boolean => turn !== null && turn.isAsked && turn.isAccepted;

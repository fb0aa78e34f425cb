import { packOf } from '../languages/languages.js';
import type { Clock } from './clock.js';
import { offersKeys } from './ivr-menu-detector.js';
import { normalize } from './recorded-text.js';

/** Utterances within which a mailbox announces itself; later, a person talks about one. */
const ANNOUNCEMENT_UTTERANCES = 3;
/** Without a report of a machine for this long, a person who has spoken is answered. */
const HOLD_MS = 6_000;

/** Whether words are from a mailbox. Questions are from people, offers of keys from menus. @param language BCP 47 */
export function soundsLikeMailbox(text: string, language: string): boolean {
  const normalized = normalize(text).trim();
  if (/[?？؟]$/.test(normalized)) return false;
  return [packOf(language), packOf('en')].some(
    ({ screening: { mailbox, tone } }) =>
      tone.test(normalized) || (mailbox.test(normalized) && !offersKeys(normalized)),
  );
}

/**
 * Holds the model while a mailbox announces itself: the report of a machine ends the call, or has the message spoken.
 * Without one the conversation goes on with the first person who speaks, and with one of a person by itself.
 */
export class MailboxHold {
  private utteranceCount = 0;
  private isMailbox = false;
  private endsAt = 0;
  private hasPersonSpoken = false;
  private cancel: () => void = () => undefined;

  /** @param isPossible whether machine detection reports machines of this call */
  constructor(
    private readonly clock: Clock,
    private readonly isPossible: boolean,
    /** Whether machine detection has reported a person. */
    private readonly isReportedPerson: () => Promise<boolean>,
    /** The hold is over, and a person waits for a response. */
    private readonly onPersonWaits: () => void,
  ) {}

  /** Whether a mailbox was heard, and nobody since. */
  get isActive(): boolean {
    return this.isMailbox;
  }

  /** @returns whether these words get no response */
  handleUtterance(text: string, language: string): boolean {
    this.utteranceCount += 1;
    const mayAnnounce = this.isMailbox || this.utteranceCount <= ANNOUNCEMENT_UTTERANCES;
    if (this.isPossible && mayAnnounce && soundsLikeMailbox(text, language)) this.hold();
    else if (this.isMailbox && this.clock.now() >= this.endsAt) this.isMailbox = false;
    else this.hasPersonSpoken = this.isMailbox;
    return this.isMailbox;
  }

  private hold(): void {
    this.isMailbox = true;
    this.hasPersonSpoken = false;
    this.endsAt = this.clock.now() + HOLD_MS;
    this.cancel();
    this.cancel = this.clock.setTimeout(() => {
      if (this.hasPersonSpoken) this.release();
      else void this.releaseReportedPerson();
    }, HOLD_MS);
    void this.releaseReportedPerson();
  }

  private async releaseReportedPerson(): Promise<void> {
    const isPerson = await this.isReportedPerson().catch(() => false);
    if (isPerson && this.isMailbox) this.release();
  }

  private release(): void {
    this.cancel();
    this.isMailbox = false;
    this.onPersonWaits();
  }
}

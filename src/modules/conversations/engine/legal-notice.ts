import type { CallScreening } from './call-screening.js';
import type { CustomerSpeech } from './customer-speech.js';
import type { Speaker } from './speaker.js';
import type { Transcript } from './transcript.js';

export interface LegalNoticeDependencies {
  speaker: Speaker;
  transcript: Transcript;
  customerSpeech: CustomerSpeech;
  screening: CallScreening;
  isClosed: () => boolean;
}

/** The legal notice precedes any other speech, also when the customer speaks first. */
export class LegalNotice {
  /** Models may say it in other words, which the transcript then has. */
  private isSaid = false;

  constructor(
    private readonly notice: string | null,
    private readonly dependencies: LegalNoticeDependencies,
  ) {}

  /** Speaks the notice, unless it was heard. */
  async say(): Promise<void> {
    const { notice } = this;
    const { speaker, transcript, customerSpeech, screening, isClosed } = this.dependencies;
    const isNew = screening.consumePersonConnected();
    if (!notice || (!isNew && (this.isSaid || transcript.memory.includesAssistantText(notice)))) return;
    await customerSpeech.waitUntilComplete();
    if (isClosed()) return;
    this.isSaid = true;
    speaker.sayProtected(notice);
  }
}

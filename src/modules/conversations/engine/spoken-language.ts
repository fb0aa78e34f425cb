import type { CallSession } from '#src/modules/telephony/call-session.js';
import { SWITCH_LANGUAGE } from './built-in-tools.js';
import type { CallLanguage, ConversationSettings } from './conversation-settings.js';
import type { HistoryEntry } from './earlier-conversation.js';
import { Fillers } from './fillers.js';
import type { LanguagePack, Phrases } from '../languages/language-pack.js';
import { packOf } from '../languages/languages.js';
import type { ToolOutcome } from './tool-runner.js';

/** The current language of a call: the assistant's own, until the customer chooses another. */
export class SpokenLanguage {
  private readonly known: readonly CallLanguage[];
  private current: CallLanguage;
  private fillerChoice: Fillers | null;

  constructor(
    { language, fillers, otherLanguages }: ConversationSettings,
    private readonly session: CallSession,
  ) {
    this.current = { tag: language, fillers };
    this.known = [this.current, ...otherLanguages];
    this.fillerChoice = fillersIn(this.current);
  }

  /** BCP 47 */
  get tag(): string {
    return this.current.tag;
  }

  /** Tags of the selectable languages; empty with a single language. */
  get selectableTags(): string[] {
    return this.known.length > 1 ? this.known.map(({ tag }) => tag) : [];
  }

  get pack(): LanguagePack {
    return packOf(this.current.tag);
  }

  get phrases(): Phrases {
    return this.pack.phrases;
  }

  get fillers(): Fillers | null {
    return this.fillerChoice;
  }

  /** Restores the language of a call that continues over another session. */
  restore(history: readonly HistoryEntry[]): void {
    const switches = history.flatMap((entry) =>
      entry.role === 'tool' && entry.name === SWITCH_LANGUAGE ? [this.find(entry.arguments['language'])] : [],
    );
    const last = switches.findLast((language) => language !== undefined);
    if (last) this.changeTo(last);
  }

  /** @param wanted by the model: a tag, or a language without its region */
  switchTo(wanted: unknown): ToolOutcome {
    const found = this.find(wanted);
    const outcome = { durationMs: 0, statusCode: null };
    if (!found)
      return { ok: false, error: `The voice speaks ${this.selectableTags.join(', ')} only.`, ...outcome };
    this.changeTo(found);
    return { ok: true, result: { language: found.tag }, ...outcome };
  }

  private find(wanted: unknown): CallLanguage | undefined {
    const tag = String(wanted).toLowerCase();
    const [base] = tag.split('-', 1);
    return (
      this.known.find((language) => language.tag.toLowerCase() === tag) ??
      this.known.find((language) => language.tag.split('-', 1)[0] === base)
    );
  }

  private changeTo(language: CallLanguage): void {
    this.current = language;
    this.fillerChoice = fillersIn(language);
    this.session.switchLanguage(language.tag);
  }
}

const fillersIn = ({ fillers, tag }: CallLanguage): Fillers | null => fillers && new Fillers(fillers, tag);

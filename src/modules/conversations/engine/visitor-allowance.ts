/** What a visitor of a web page may say; a person does not reach it. */
const UTTERANCES_PER_MINUTE = 20;
const CHARACTERS_PER_MINUTE = 20_000;
const CHARACTERS_PER_CALL = 100_000;
const MINUTE_MS = 60_000;

/** `late`: too much in a minute, this is left out. `over`: too much in the call, which is to end. */
export type Allowed = 'yes' | 'late' | 'over';

/** Counts what somebody without a token says in a call: each answer costs its account, and the time of the model. */
export class VisitorAllowance {
  private readonly minute: { at: number; characters: number }[] = [];

  /** @param characters of the call so far, where it goes on after its session broke */
  constructor(private characters = 0) {}

  /** Whether so many characters more are taken. @param now in milliseconds */
  takes(characters: number, now: number): Allowed {
    while (this.minute[0] && this.minute[0].at <= now - MINUTE_MS) this.minute.shift();
    if (this.characters + characters > CHARACTERS_PER_CALL) return 'over';
    const inMinute = this.minute.reduce((sum, one) => sum + one.characters, 0);
    if (this.minute.length >= UTTERANCES_PER_MINUTE || inMinute + characters > CHARACTERS_PER_MINUTE)
      return 'late';
    this.minute.push({ at: now, characters });
    this.characters += characters;
    return 'yes';
  }
}

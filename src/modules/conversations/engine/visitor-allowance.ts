/** What a visitor of a web page may say; a person does not reach it. */
const UTTERANCES_PER_MINUTE = 20;
const CHARACTERS_PER_MINUTE = 20_000;
const CHARACTERS_PER_CALL = 100_000;
/** Of all calls of one address together: a new call brings no new minute. */
const UTTERANCES_OF_ADDRESS = 30;
const MINUTE_MS = 60_000;
/** Addresses that are remembered; the oldest is forgotten first. */
const MAX_ADDRESSES = 10_000;

/** `late`: too much in a minute, this is left out. `over`: too much in the call, which is to end. */
export type Allowed = 'yes' | 'late' | 'over';

/** What was said within the last minute. */
class LastMinute {
  private readonly said: { at: number; characters: number }[] = [];

  takes(max: { utterances: number; characters: number }, characters: number, now: number): boolean {
    while (this.said[0] && this.said[0].at <= now - MINUTE_MS) this.said.shift();
    const sum = this.said.reduce((all, one) => all + one.characters, characters);
    return this.said.length < max.utterances && sum <= max.characters;
  }

  add(characters: number, at: number): void {
    this.said.push({ at, characters });
  }
}

/** Counts what somebody without a token says in a call: each answer costs its account, and the time of the model. */
export class VisitorAllowance {
  private readonly minute = new LastMinute();

  /**
   * @param characters of the call so far, where it goes on after its session broke
   * @param ofAddress what the same address says in all its calls
   */
  constructor(
    private characters = 0,
    private readonly ofAddress = new LastMinute(),
  ) {}

  /** Whether so many characters more are taken. @param now in milliseconds */
  takes(characters: number, now: number): Allowed {
    if (this.characters + characters > CHARACTERS_PER_CALL) return 'over';
    const ofCall = { utterances: UTTERANCES_PER_MINUTE, characters: CHARACTERS_PER_MINUTE };
    const ofAddress = { utterances: UTTERANCES_OF_ADDRESS, characters: Infinity };
    if (!this.minute.takes(ofCall, characters, now)) return 'late';
    if (!this.ofAddress.takes(ofAddress, characters, now)) return 'late';
    this.minute.add(characters, now);
    this.ofAddress.add(characters, now);
    this.characters += characters;
    return 'yes';
  }
}

/** The allowances of the calls of this process. */
export class VisitorAllowances {
  private readonly minutes = new Map<string, LastMinute>();

  /** @param address of an account's visitor; @param characters as in `VisitorAllowance` */
  of(address: string, characters: number): VisitorAllowance {
    const minute = this.minutes.get(address) ?? new LastMinute();
    // The last one in the map is the newest.
    this.minutes.delete(address);
    this.minutes.set(address, minute);
    const [oldest] = this.minutes.keys();
    if (this.minutes.size > MAX_ADDRESSES && oldest !== undefined) this.minutes.delete(oldest);
    return new VisitorAllowance(characters, minute);
  }
}

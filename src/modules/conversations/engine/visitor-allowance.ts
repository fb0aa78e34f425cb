/** What a visitor of a web page may say; a person does not reach it. */
const UTTERANCES_PER_MINUTE = 20;
const CHARACTERS_PER_MINUTE = 20_000;
const CHARACTERS_PER_CALL = 100_000;
/** Of all calls of one address together: a new call brings no new minute. */
const UTTERANCES_OF_ADDRESS = 30;
/** The same of what the model is asked: an utterance that needs tools asks it several times. */
const REQUESTS_OF_ADDRESS = 28;
const MINUTE_MS = 60_000;
/** Addresses that are remembered; the oldest is forgotten first. */
const MAX_ADDRESSES = 10_000;

/** `late`: too much in a minute, this is left out. `over`: too much in the call, which is to end. */
export type Allowed = 'yes' | 'late' | 'over';

/** What happened within the last minute. */
class LastMinute {
  private readonly events: { at: number; characters: number }[] = [];

  takes(max: { events: number; characters?: number }, now: number, characters = 0): boolean {
    while (this.events[0] && this.events[0].at <= now - MINUTE_MS) this.events.shift();
    const sum = this.events.reduce((all, one) => all + one.characters, characters);
    return this.events.length < max.events && sum <= (max.characters ?? Infinity);
  }

  add(at: number, characters = 0): void {
    this.events.push({ at, characters });
  }
}

/** Of all calls of one address. */
class AddressMinute {
  readonly utterances = new LastMinute();
  readonly requests = new LastMinute();

  takes(now: number): boolean {
    return (
      this.utterances.takes({ events: UTTERANCES_OF_ADDRESS }, now) &&
      this.requests.takes({ events: REQUESTS_OF_ADDRESS }, now)
    );
  }
}

/** Counts what somebody without a token says in a call: each answer costs its account, and the time of the model. */
export class VisitorAllowance {
  private readonly minute = new LastMinute();

  /**
   * @param characters of the call so far, where it goes on after its session broke
   * @param ofAddress what the same address says, and what it has the model asked
   */
  constructor(
    private characters = 0,
    private readonly ofAddress = new AddressMinute(),
  ) {}

  /** Whether so many characters more are taken. @param now in milliseconds */
  takes(characters: number, now: number): Allowed {
    if (this.characters + characters > CHARACTERS_PER_CALL) return 'over';
    const ofCall = { events: UTTERANCES_PER_MINUTE, characters: CHARACTERS_PER_MINUTE };
    if (!this.minute.takes(ofCall, now, characters) || !this.ofAddress.takes(now)) return 'late';
    this.minute.add(now, characters);
    this.ofAddress.utterances.add(now);
    this.characters += characters;
    return 'yes';
  }

  /** The model is asked. @param now in milliseconds */
  asked(now: number): void {
    this.ofAddress.requests.add(now);
  }
}

/** The allowances of the calls of this process. */
export class VisitorAllowances {
  private readonly minutes = new Map<string, AddressMinute>();

  /** @param address of an account's visitor; @param characters as in `VisitorAllowance` */
  of(address: string, characters: number): VisitorAllowance {
    const minute = this.minutes.get(address) ?? new AddressMinute();
    // The last one in the map is the newest.
    this.minutes.delete(address);
    this.minutes.set(address, minute);
    const [oldest] = this.minutes.keys();
    if (this.minutes.size > MAX_ADDRESSES && oldest !== undefined) this.minutes.delete(oldest);
    return new VisitorAllowance(characters, minute);
  }
}

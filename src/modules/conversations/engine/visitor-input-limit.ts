/** Limits of the input of a web page's visitor; a person does not reach them. */
const UTTERANCES_PER_MINUTE = 20;
const CHARACTERS_PER_MINUTE = 20_000;
const CHARACTERS_PER_CALL = 100_000;
/** Per minute, for all calls of one address together. */
const UTTERANCES_OF_ADDRESS = 30;
/** The same for requests to the model: an utterance with tools takes several. */
const REQUESTS_OF_ADDRESS = 28;
const MINUTE_MS = 60_000;
/** Maximum of remembered addresses; the oldest is removed first. */
const MAX_ADDRESSES = 10_000;

/** `late`: over the limit of a minute, the input is dropped. `over`: over the limit of the call, which has to end. */
export type InputDecision = 'yes' | 'late' | 'over';

/** Sliding window of events of the last minute. */
class MinuteWindow {
  private readonly events: { at: number; characters: number }[] = [];

  admits(max: { events: number; characters?: number }, now: number, characters = 0): boolean {
    while (this.events[0] && this.events[0].at <= now - MINUTE_MS) this.events.shift();
    const sum = this.events.reduce((all, one) => all + one.characters, characters);
    return this.events.length < max.events && sum <= (max.characters ?? Infinity);
  }

  add(at: number, characters = 0): void {
    this.events.push({ at, characters });
  }
}

/** Windows of all calls of one address. */
class AddressWindow {
  readonly utterances = new MinuteWindow();
  readonly requests = new MinuteWindow();

  admits(now: number): boolean {
    return (
      this.utterances.admits({ events: UTTERANCES_OF_ADDRESS }, now) &&
      this.requests.admits({ events: REQUESTS_OF_ADDRESS }, now)
    );
  }
}

/** Limits the input of visitors without a token: each response costs the account money and model time. */
export class VisitorInputLimit {
  private readonly callWindow = new MinuteWindow();
  private characters = 0;

  /** @param addressWindow utterances and requests of the same address */
  constructor(private readonly addressWindow = new AddressWindow()) {}

  /** @param characters of the call before its session broke */
  resume(characters: number): void {
    this.characters += characters;
  }

  /** Whether an utterance would be within the limits of a minute. @param now in milliseconds */
  admits(now: number, characters = 0): boolean {
    const ofCall = { events: UTTERANCES_PER_MINUTE, characters: CHARACTERS_PER_MINUTE };
    return this.callWindow.admits(ofCall, now, characters) && this.addressWindow.admits(now);
  }

  /** Counts an utterance, if it is within the limits. @param now in milliseconds */
  admitUtterance(characters: number, now: number): InputDecision {
    if (this.characters + characters > CHARACTERS_PER_CALL) return 'over';
    if (!this.admits(now, characters)) return 'late';
    this.callWindow.add(now, characters);
    this.addressWindow.utterances.add(now);
    this.characters += characters;
    return 'yes';
  }

  /** Counts a request to the model. @param now in milliseconds */
  countRequest(now: number): void {
    this.addressWindow.requests.add(now);
  }
}

/** The allowances of the calls of this process. */
export class VisitorInputLimits {
  private readonly windows = new Map<string, AddressWindow>();

  /** @param address of an account's visitor */
  forVisitor(address: string): VisitorInputLimit {
    const minute = this.windows.get(address) ?? new AddressWindow();
    // The last one in the map is the newest.
    this.windows.delete(address);
    this.windows.set(address, minute);
    const [oldest] = this.windows.keys();
    if (this.windows.size > MAX_ADDRESSES && oldest !== undefined) this.windows.delete(oldest);
    return new VisitorInputLimit(minute);
  }
}

import { LineBackground } from './background.js';
import { NO_TRAITS, type LineTraits } from './line-traits.js';

/** The traits of customers' telephones, by number. They apply to streams that open afterwards. */
export class TraitBook {
  private readonly byNumber = new Map<string, LineTraits>();

  of(phoneNumber: string): LineTraits {
    return this.byNumber.get(phoneNumber) ?? NO_TRAITS;
  }

  set(phoneNumber: string, traits: LineTraits): void {
    // Makes the sounds now: it would delay the audio of calls.
    new LineBackground(traits);
    this.byNumber.set(phoneNumber, traits);
  }

  remove(phoneNumber: string): void {
    this.byNumber.delete(phoneNumber);
  }
}

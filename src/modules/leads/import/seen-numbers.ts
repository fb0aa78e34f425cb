/** More lines than most files have. */
const MAX_NUMBERS = 1_000_000;
const FIRST_SLOTS = 1_024;
/** Spreads consecutive numbers over the slots: 2^32 divided by the golden ratio. */
const MULTIPLIER = 0x9e3779b1;

/**
 * The numbers of a file so far, for the detection of repeated numbers; of a longer file the first million of them. A
 * table of digits: a `Set` keeps an object for each of them, 60 MB for a million, and this 17 MB.
 */
export class SeenNumbers {
  /** E.164 has at most 15 digits: a number is exact. 0: the slot is free. */
  private slots = new Float64Array(FIRST_SLOTS);
  private size = 0;

  has(phoneNumber: string): boolean {
    return this.slots[this.slotOf(toDigits(phoneNumber))] !== 0;
  }

  add(phoneNumber: string): void {
    if (this.size >= MAX_NUMBERS || this.has(phoneNumber)) return;
    if (this.size * 2 >= this.slots.length) this.grow();
    this.insert(toDigits(phoneNumber));
    this.size += 1;
  }

  private grow(): void {
    const digits = this.slots.filter((one) => one !== 0);
    this.slots = new Float64Array(this.slots.length * 2);
    for (const one of digits) this.insert(one);
  }

  private insert(digits: number): void {
    this.slots[this.slotOf(digits)] = digits;
  }

  /** The slot with these digits, or the free one for them. */
  private slotOf(digits: number): number {
    const last = this.slots.length - 1;
    let slot = (Math.imul(digits % 2 ** 32, MULTIPLIER) >>> 8) & last;
    while (this.slots[slot] !== 0 && this.slots[slot] !== digits) slot = (slot + 1) & last;
    return slot;
  }
}

const toDigits = (phoneNumber: string): number => Number(phoneNumber.slice(1));

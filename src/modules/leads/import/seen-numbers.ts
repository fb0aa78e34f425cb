/** More lines than most files have; they take some 40 MB. */
const MAX_KEPT = 1_000_000;

/** The numbers of a file so far, so that one that comes again is found; of a longer file the first million of them. */
export class SeenNumbers {
  /** E.164 has at most 15 digits: a number is exact. */
  private readonly digits = new Set<number>();

  has(phoneNumber: string): boolean {
    return this.digits.has(Number(phoneNumber.slice(1)));
  }

  add(phoneNumber: string): void {
    if (this.digits.size < MAX_KEPT) this.digits.add(Number(phoneNumber.slice(1)));
  }
}

/** A fake with the members that a test needs; the compiler checks them against the real class. */
export const partialFake = <T extends object>(members: Partial<T>): T => members as T;

/** Values in memory up to a number of bytes; those that were used least recently go first. */
export class BoundedCache<Value extends { bytes: number }> {
  private readonly values = new Map<string, Value>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): Value | undefined {
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  /** The value is there at least until the next one is set. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.values.set(key, value);
    this.bytes += value.bytes;
    for (const oldest of this.values.keys()) {
      if (this.bytes <= this.maxBytes || oldest === key) break;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    this.bytes -= this.values.get(key)?.bytes ?? 0;
    this.values.delete(key);
  }
}

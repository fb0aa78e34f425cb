/** The demonstration cannot go on; the message says why and what to do. */
export class DemoFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DemoFailed';
  }
}

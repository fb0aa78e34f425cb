/** A refused client event, as in the `error` event. The session continues. */
export class RealtimeError extends Error {
  constructor(
    message: string,
    readonly code: string,
    /** The invalid parameter. */
    readonly param: string | null = null,
  ) {
    super(message);
    this.name = 'RealtimeError';
  }

  toEvent(eventId: string | null) {
    const { message, code, param } = this;
    return {
      type: 'error',
      error: { type: 'invalid_request_error', code, message, param, event_id: eventId },
    };
  }
}

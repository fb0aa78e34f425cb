/** The published error codes that the sandbox returns, with their HTTP status. */
const ERRORS = {
  20001: [400, 'Invalid parameter.'],
  20003: [401, 'Authenticate'],
  20009: [409, 'Cannot delete this resource before it is complete'],
  20404: [404, 'The requested resource was not found'],
  20429: [429, 'Too Many Requests'],
  20500: [500, 'Internal Server Error'],
  21201: [400, "No 'To' number is specified"],
  21205: [400, 'Url is not a valid URL.'],
  21211: [400, "Invalid 'To' Phone Number"],
  21212: [400, "Invalid 'From' Phone Number"],
  21213: [400, "No 'From' number is specified"],
  21220: [400, 'Call is not in-progress. Cannot redirect.'],
  21421: [400, 'PhoneNumber is invalid'],
  21422: [400, 'PhoneNumber is not available'],
  21602: [400, 'Message body is required.'],
  21603: [400, "A 'From' phone number is required."],
  21604: [400, "A 'To' phone number is required."],
  21614: [400, "'To' number is not a valid mobile number"],
  21617: [400, 'The concatenated message body exceeds the 1600 character limit'],
  21631: [400, 'Phone Number Requires an Address'],
} as const satisfies Record<number, readonly [status: number, message: string]>;

export type RestErrorCode = keyof typeof ERRORS;

export class RestError extends Error {
  readonly status: number;

  constructor(readonly code: RestErrorCode) {
    const [status, message] = ERRORS[code];
    super(message);
    this.name = 'RestError';
    this.status = status;
  }

  toBody() {
    const more_info = `https://www.twilio.com/docs/errors/${this.code}`;
    return { code: this.code, message: this.message, more_info, status: this.status };
  }
}

import { ApiError, NotFound } from '#src/common/errors/api-error.js';

export class RecordingNotFound extends NotFound {
  constructor() {
    super('Recording not found');
  }
}

/** Also of a link that was signed with a key that no longer exists. */
export class RecordingLinkInvalid extends ApiError {
  constructor() {
    super(403, 'The link to the recording is invalid.');
  }
}

export class RecordingLinkExpired extends ApiError {
  constructor() {
    super(403, 'The link to the recording has expired.');
  }
}

export class RangeNotSatisfiable extends ApiError {
  /** @param total bytes of the recording */
  constructor(total: number) {
    super(416, 'Range Not Satisfiable', {}, { 'Content-Range': `bytes */${total}` });
  }
}

/** The carrier or the storage does not deliver it. */
export class RecordingUnavailable extends ApiError {
  constructor() {
    super(502, 'The recording is not available at the moment. Please try again later.');
  }
}

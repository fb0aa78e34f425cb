import { ApiError, NotFound } from '#src/common/errors/api-error.js';

export class ErasureNotFound extends NotFound {
  constructor() {
    super('Erasure not found');
  }
}

export class ExportNotFound extends NotFound {
  constructor() {
    super('Export not found');
  }
}

export class ArchiveNotReady extends ApiError {
  constructor() {
    super(409, 'The export is not done.');
  }
}

/** It was kept for its time, or what it had was erased. */
export class ArchiveGone extends ApiError {
  constructor() {
    super(410, 'The archive is no longer kept.');
  }
}

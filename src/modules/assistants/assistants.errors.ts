import { ApiError, NotFound } from '#src/common/errors/api-error.js';

export class AssistantNotFound extends NotFound {
  constructor() {
    super('Assistant not found');
  }
}

export class OriginNotAllowed extends ApiError {
  constructor() {
    super(403, 'This origin is not allowed.');
  }
}

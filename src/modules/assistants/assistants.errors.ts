import { NotFound } from '#src/common/errors/api-error.js';

export class AssistantNotFound extends NotFound {
  constructor() {
    super('Assistant not found');
  }
}

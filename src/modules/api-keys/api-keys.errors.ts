import { NotFound, Unprocessable } from '#src/common/errors/api-error.js';

export class ApiKeyNotFound extends NotFound {
  constructor() {
    super('API key not found');
  }
}

export class ApiKeyLimitReached extends Unprocessable {
  constructor(limit: number) {
    super(`You have reached the limit of ${limit} API keys. Please delete a key to create more.`);
  }
}

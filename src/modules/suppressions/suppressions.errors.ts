import { NotFound } from '#src/common/errors/api-error.js';

export class SuppressionNotFound extends NotFound {
  constructor() {
    super('Suppression not found');
  }
}

import { NotFound } from '#src/common/errors/api-error.js';

export class NestedItemNotFound extends NotFound {
  constructor() {
    super('Nested item not found');
  }
}

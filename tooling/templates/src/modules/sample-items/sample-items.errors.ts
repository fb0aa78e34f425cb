import { NotFound } from '#src/common/errors/api-error.js';

export class SampleItemNotFound extends NotFound {
  constructor() {
    super('Sample item not found');
  }
}

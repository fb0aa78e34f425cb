import { ApiError, Invalid, Unprocessable } from '#src/common/errors/api-error.js';
import { MAX_GROUPS_OF_A_KIND, type GroupKind } from './group.types.js';

/** The clients of these endpoints read the text under `error`. */
class GroupNotFound extends ApiError {
  constructor(message: string) {
    super(404, message, { error: message });
  }
}

export class FolderNotFound extends GroupNotFound {
  constructor() {
    super('Folder not found');
  }
}

export class LabelNotFound extends GroupNotFound {
  constructor() {
    super('Label not found');
  }
}

export class NameTaken extends Invalid {
  constructor() {
    super({ name: ['The name has already been taken.'] });
  }
}

export class GroupLimitReached extends Unprocessable {
  constructor(kind: GroupKind) {
    super(
      `You have reached the limit of ${MAX_GROUPS_OF_A_KIND} ${kind}s. Please delete one to create more.`,
    );
  }
}

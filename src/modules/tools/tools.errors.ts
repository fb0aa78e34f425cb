import { NotFound, Unprocessable } from '#src/common/errors/api-error.js';

export class ToolNotFound extends NotFound {
  constructor() {
    super('Tool not found');
  }
}

export class ToolLimitReached extends Unprocessable {
  constructor(limit: number) {
    super(
      `You have reached your plan limit of ${limit} mid call tools. Please upgrade your plan to create more tools.`,
    );
  }
}

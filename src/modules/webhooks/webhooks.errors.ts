import { NotFound, Unprocessable } from '#src/common/errors/api-error.js';

export class DeliveryNotFound extends NotFound {
  constructor() {
    super('Webhook delivery not found');
  }
}

export class NoWebhook extends Unprocessable {
  constructor() {
    super('The assistant has no active webhook on this channel.');
  }
}

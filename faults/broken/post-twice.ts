/** Loaded before the service: a sender that posts every delivery twice. */
import 'reflect-metadata';
import { WebhookSender } from '#src/modules/webhooks/delivery/webhook-sender.service.js';

const { send } = WebhookSender.prototype;
WebhookSender.prototype.send = async function (message, limits) {
  await send.call(this, message, limits);
  return send.call(this, message, limits);
};

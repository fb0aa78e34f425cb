/** Planted defect: every delivery is posted twice. */
import 'reflect-metadata';
import { WebhookSenderService } from '#src/modules/webhooks/delivery/webhook-sender.service.js';

const { sendWebhook } = WebhookSenderService.prototype;
WebhookSenderService.prototype.sendWebhook = async function (message, limits) {
  await sendWebhook.call(this, message, limits);
  return sendWebhook.call(this, message, limits);
};

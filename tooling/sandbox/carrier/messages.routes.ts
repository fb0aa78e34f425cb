import type { FastifyInstance } from 'fastify';
import { calleeOf } from '../callees/callees.js';
import { dateFilter } from './date-filter.js';
import { first, type Form } from './form.js';
import { emptyBody, messageJson, messageOrder } from './message-record.js';
import type { Network } from './network.js';
import { pageOf } from './page.js';

/** The messages of the account, below `/2010-04-01/Accounts/{sid}`. */
export function messagesRoutes(app: FastifyInstance, network: Network): void {
  const { accountSid } = network;

  app.post<{ Body: Form }>('/Messages.json', (request, reply) => {
    const message = network.sendMessage(messageOrder(request.body));
    // Accepted, but without a response: see calls.
    if (calleeOf(message.to).answerIsLost) return reply.hijack();
    return reply.code(201).send(messageJson(accountSid, message));
  });

  app.get<{ Querystring: Form }>('/Messages.json', async ({ query }) => {
    const sentWithin = dateFilter(query, 'DateSent');
    const [to, from] = [first(query, 'To'), first(query, 'From')];
    const messages = network
      .messages()
      .filter((message) => (to ?? message.to) === message.to && (from ?? message.from) === message.from)
      .filter((message) => sentWithin(message.sentAt ?? message.createdAt))
      .map((message) => messageJson(accountSid, message));
    return pageOf('messages', messages, `/2010-04-01/Accounts/${accountSid}/Messages.json`, query);
  });

  app.post<{ Params: { sid: string }; Body: Form }>('/Messages/:sid.json', async ({ params, body }) => {
    const message = network.message(params.sid);
    emptyBody(message, body);
    return messageJson(accountSid, message);
  });

  app.get<{ Params: { sid: string } }>('/Messages/:sid.json', async ({ params }) =>
    messageJson(accountSid, network.message(params.sid)),
  );

  app.delete<{ Params: { sid: string } }>('/Messages/:sid.json', async ({ params }, reply) => {
    network.deleteMessage(params.sid);
    return reply.code(204).send();
  });
}

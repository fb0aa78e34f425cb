import type { FastifyInstance } from 'fastify';
import { calleeOf } from '../callees/callees.js';
import { callJson, recordingJson } from './call-json.js';
import { callOrder, instructionsOf } from './call-order.js';
import { dateFilter } from './date-filter.js';
import { first, type Form } from './form.js';
import type { Network } from './network.js';
import type { CallRecord } from './call-record.js';
import { pageOf } from './page.js';
import { RestError } from './rest-error.js';

interface BySid {
  Params: { sid: string };
}

/** The calls of the account, below `/2010-04-01/Accounts/{sid}`. */
export function callsRoutes(app: FastifyInstance, network: Network): void {
  const { accountSid } = network;
  const root = `/2010-04-01/Accounts/${accountSid}`;

  app.post<{ Body: Form }>('/Calls.json', (request, reply) => {
    const record = network.placeCall(callOrder(request.body));
    // The call is placed, but without a response: the connection stays open.
    if (calleeOf(record.to).answerIsLost) return reply.hijack();
    return reply.code(201).send(callJson(accountSid, record));
  });

  app.get<{ Querystring: Form }>('/Calls.json', async ({ query }) => {
    const startedWithin = dateFilter(query, 'StartTime');
    const calls = network
      .calls()
      .filter((call) =>
        ['To', 'From', 'Status', 'ParentCallSid'].every((field) => matches(query, field, call)),
      )
      .filter((call) => startedWithin(call.startedAt ?? call.createdAt))
      .map((call) => callJson(accountSid, call));
    return pageOf('calls', calls, `${root}/Calls.json`, query);
  });

  app.get<BySid>('/Calls/:sid.json', async ({ params }) => callJson(accountSid, network.call(params.sid)));

  app.post<BySid & { Body: Form }>('/Calls/:sid.json', async ({ params, body }) => {
    const record = network.call(params.sid);
    changeCall(network, record.sid, body);
    return callJson(accountSid, record);
  });

  app.delete<BySid>('/Calls/:sid.json', async ({ params }, reply) => {
    network.deleteCall(params.sid);
    return reply.code(204).send();
  });

  app.get<BySid & { Querystring: Form }>('/Calls/:sid/Recordings.json', async ({ params, query }) => {
    const { sid, recordings } = network.call(params.sid);
    const shown = recordings.map((recording) => recordingJson(accountSid, recording));
    return pageOf('recordings', shown, `${root}/Calls/${sid}/Recordings.json`, query);
  });
}

function matches(query: Form, field: string, call: CallRecord): boolean {
  const wanted = first(query, field);
  const { to: To, from: From, status: Status, parentCallSid: ParentCallSid } = call;
  const values: Record<string, string | null> = { To, From, Status, ParentCallSid };
  return wanted === undefined || wanted === values[field];
}

/** `canceled` ends an unanswered call, `completed` any call; otherwise the request has new instructions. */
function changeCall(network: Network, sid: string, form: Form): void {
  const call = network.liveCall(sid);
  const status = first(form, 'Status');
  if (status === 'completed') return call.finish(call.record.answered ? 'completed' : 'canceled');
  if (status === 'canceled') {
    if (call.record.answered) throw new RestError(21220);
    return call.finish('canceled');
  }
  const instructions = instructionsOf(form, 'redirect');
  if (status !== undefined || instructions === null) throw new RestError(20001);
  if (!call.record.answered) throw new RestError(21220);
  call.redirect(instructions);
}

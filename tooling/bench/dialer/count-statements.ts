/**
 * node --import count-statements.js dist/src/main.js: the unchanged service with a count of its statements by the
 * part that sends them; reports the counts and its CPU time on request. BEGIN, COMMIT and ROLLBACK are not counted. A
 * batch of several calls counts for the part of its first call.
 */
import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { EventsRepository } from '#src/events/events.repository.js';
import { WrapUpProcessor } from '#src/modules/calls/wrap-up/wrap-up.processor.js';
import { AccountsService } from '#src/modules/accounts/accounts.service.js';
import { CampaignDialerService } from '#src/modules/dialer/campaign-dialer.service.js';
import { CallConversationsService } from '#src/modules/conversations/call-conversations.service.js';
import { CallOutcomeListener } from '#src/modules/dialer/call-outcome.listener.js';
import { CampaignDialProcessor } from '#src/modules/dialer/campaign-dial.processor.js';
import { OutboundCallsService } from '#src/modules/dialer/outbound-calls.service.js';
import { TwilioCallbacksController } from '#src/modules/telephony/twilio/twilio-callbacks.controller.js';
import { CallWebhooksListener } from '#src/modules/webhooks/call-webhooks.listener.js';
import { DeliveryProcessor } from '#src/modules/webhooks/delivery/delivery.processor.js';
import { QueueRunnerService } from '#src/queue/queue-runner.service.js';
import { ownCpuMs, reportOnRequest } from '../support/report-on-request.js';
import type { Phase, StatementCounts } from './statement-counts.js';

const IS_FRAME = /^\s*(begin|start transaction|commit|rollback|savepoint|release)/i;

type Method = (this: unknown, ...args: unknown[]) => unknown;

const phases = new AsyncLocalStorage<Phase>();
const counts = new Map<string, { phase: Phase; text: string; count: number }>();

/** Statements of these methods and their callees belong to the phase. */
function belongsTo<T extends object>(
  phase: Phase,
  { prototype }: { prototype: T },
  methods: readonly (keyof T & string)[],
): void {
  const owner = prototype as Record<string, Method>;
  for (const name of methods) {
    const original = owner[name];
    if (!original) throw new Error(`there is no method ${name}`);
    const wrapped: Method = function (...args) {
      return phases.run(phase, () => original.apply(this, args));
    };
    // Identifies routes and listeners.
    for (const key of Reflect.getMetadataKeys(original) as string[])
      Reflect.defineMetadata(key, Reflect.getMetadata(key, original), wrapped);
    owner[name] = wrapped;
  }
}

belongsTo('due rows', QueueRunnerService, ['onApplicationBootstrap']);
belongsTo('dial', CampaignDialProcessor, ['process', 'findDueRows']);
belongsTo('placer', OutboundCallsService, ['placeCall']);
belongsTo('callbacks', TwilioCallbacksController, [
  'planAnsweredCall',
  'planAfterSession',
  'applyCallStatus',
  'applyMachineDetection',
  'addRecording',
]);
belongsTo('conversation', CallConversationsService, ['expectsSocket', 'runConversation']);
belongsTo('wrap-up', WrapUpProcessor, ['process', 'findDueRows']);
belongsTo('outcome', CallOutcomeListener, [
  'onCampaignStarted',
  'onCallEnded',
  'onCallCompleted',
  'onCallUnanswered',
]);
belongsTo('webhook row', CallWebhooksListener, ['onCallCompleted', 'onCallUnanswered']);
belongsTo('delivery', DeliveryProcessor, ['process', 'findDueRows']);
belongsTo('relay', EventsRepository, ['claimEvents', 'renewEvents', 'markHandled', 'markFailed']);

/** From the accounts' locks to the commit. */
const holds = new AsyncLocalStorage<{ since: number }>();
const holdMs: number[] = [];
const { lockAccountViews } = AccountsService.prototype;
AccountsService.prototype.lockAccountViews = async function (...args) {
  const accounts = await lockAccountViews.apply(this, args);
  const hold = holds.getStore();
  if (hold) hold.since = performance.now();
  return accounts;
};
const { dialNext: next } = CampaignDialerService.prototype;
CampaignDialerService.prototype.dialNext = function (...args) {
  const hold = { since: 0 };
  return holds.run(hold, async () => {
    const round = await next.apply(this, args);
    if (round.calls.length > 0) holdMs.push(performance.now() - hold.since);
    return round;
  });
};

const client = pg.Client.prototype as unknown as { query: Method };
const { query } = client;
client.query = function (...args) {
  const [first] = args as [string | { text?: string }];
  count(typeof first === 'string' ? first : (first.text ?? ''));
  return query.apply(this, args);
};

function count(text: string): void {
  if (IS_FRAME.test(text)) return;
  const phase = phases.getStore() ?? 'other';
  const key = `${phase} ${text}`;
  const known = counts.get(key);
  if (known) known.count++;
  else counts.set(key, { phase, text, count: 1 });
}

reportOnRequest((): StatementCounts => ({
  at: Date.now(),
  cpuMs: ownCpuMs(),
  holdMs,
  statements: [...counts.values()],
}));

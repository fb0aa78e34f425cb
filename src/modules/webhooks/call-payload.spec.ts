import { describe, expect, it } from '@jest/globals';
import { toCallPayload, type PayloadLead } from './call-payload.js';

const createdAt = new Date('2026-01-31T09:30:00.123Z');
const call = {
  id: 7,
  accountId: 1,
  assistantId: 3,
  assistantName: 'Ada',
  campaignId: 5,
  leadId: 9,
  type: 'outbound',
  status: 'completed',
  assistantPhoneNumber: '+14155550100',
  clientPhoneNumber: '+15005550020',
  variables: JSON.parse('{"order": "Grüße 👋", "__proto__": 1, "constructor": null}') as Record<
    string,
    unknown
  >,
  visitorVariables: [],
  answeredBy: 'human',
  endedBy: 'customer',
  endedReason: 'customer_hangup',
  duration: 61,
  transcript: 'AI: Hello.\nCustomer: Goodbye.',
  evaluation: { status: true, summary: 'Nothing was sold.' },
  transfers: [
    { seq: 4, name: 'Workshop', to: '+14155550177', status: 'busy' as const, at: '2026-01-31T09:30:30.000Z' },
  ],
  pricePerMinuteMicros: 10_000n,
  totalCostMicros: 27_500n,
  createdAt,
  answeredAt: createdAt,
  endedAt: new Date('2026-01-31T09:31:01.123Z'),
} satisfies Parameters<typeof toCallPayload>[0];

const actions = [
  { type: 'keys', status: 'ok', detail: '2w#', at: new Date('2026-01-31T09:30:05Z') },
] as const;

const lead: PayloadLead = {
  id: 9,
  phoneNumber: '+15005550020',
  variables: { name: 'Ada' },
  status: 'completed',
  attempts: 2,
  createdAt,
  updatedAt: createdAt,
  campaign: null,
};

describe('callPayload', () => {
  it('names the variables that a visitor set', () => {
    const payload = toCallPayload({ ...call, visitorVariables: ['order'] }, null, {
      recordingUrl: null,
      actions,
    });
    expect(payload.visitor_variables).toEqual(['order']);
    expect(toCallPayload(call, null, { recordingUrl: null, actions })).not.toHaveProperty(
      'visitor_variables',
    );
  });

  it('has the documented body', () => {
    expect(
      toCallPayload(call, null, { recordingUrl: 'https://calls.example.com/recordings/1.wav', actions }),
    ).toEqual({
      id: 7,
      customer_phone: '+15005550020',
      assistant_phone: '+14155550100',
      duration: 61,
      status: 'completed',
      extracted_variables: { status: true, summary: 'Nothing was sold.' },
      input_variables: call.variables,
      transcript: 'AI: Hello.\nCustomer: Goodbye.',
      formatted_transcript: 'AI: Hello.\nCustomer: Goodbye.',
      recording_url: 'https://calls.example.com/recordings/1.wav',
      created_at: '2026-01-31T09:30:00.123000Z',
      finished_at: '2026-01-31T09:31:01.123000Z',
      campaign: null,
      lead: null,
      transfers: [{ to: '+14155550177', status: 'busy', at: '2026-01-31T09:30:30.000000Z' }],
      actions: [{ type: 'keys', status: 'ok', detail: '2w#', at: '2026-01-31T09:30:05.000000Z' }],
      type: 'outbound',
      assistant_id: 3,
      answered_by: 'human',
      ended_by: 'customer',
      ended_reason: 'customer_hangup',
      total_cost: 0.0275,
    });
  });

  it('contains every key of the variables', () => {
    const text = JSON.stringify(toCallPayload(call, null, { recordingUrl: null, actions: [] }));
    expect(text).toContain('"input_variables":{"order":"Grüße 👋","__proto__":1,"constructor":null}');
  });

  it('has null without a recording, and never the address at the carrier', () => {
    const carrierUrl = 'https://carrier.example.com/recordings/1';
    const body = toCallPayload({ ...call, recordingUrl: carrierUrl } as typeof call, null, {
      recordingUrl: null,
      actions: [],
    });
    expect(body.recording_url).toBeNull();
    expect(JSON.stringify(body)).not.toContain('carrier.example.com');
  });

  it('has the campaign of a call whose lead is deleted', () => {
    const campaign = {
      id: 5,
      name: 'Spring offer',
      status: 'stopped',
      allowedHoursStartTime: '09:00',
      allowedHoursEndTime: '17:00',
      allowedDays: ['monday'],
      maxCallsInParallel: 3,
      maxRetries: 2,
      retryInterval: 60,
      createdAt,
      updatedAt: createdAt,
    };
    const shown = {
      id: 5,
      name: 'Spring offer',
      status: 'stopped',
      allowed_hours_start_time: '09:00',
      allowed_hours_end_time: '17:00',
      allowed_days: ['monday'],
      max_calls_in_parallel: 3,
      max_retries: 2,
      retry_interval: 60,
      created_at: '2026-01-31T09:30:00.123000Z',
      updated_at: '2026-01-31T09:30:00.123000Z',
    };
    expect(toCallPayload(call, null, { recordingUrl: null, actions: [], campaign })).toMatchObject({
      campaign: shown,
      lead: null,
    });
    const body = toCallPayload(call, { ...lead, campaign }, { recordingUrl: null, actions: [] });
    expect([body.campaign, body.lead]).toEqual([
      shown,
      {
        id: 9,
        phone_number: '+15005550020',
        variables: { name: 'Ada' },
        status: 'completed',
        call_tries: 2,
        created_at: '2026-01-31T09:30:00.123000Z',
        updated_at: '2026-01-31T09:30:00.123000Z',
        campaign: shown,
      },
    ]);
  });

  it('represents a call without an end, and a lead without its campaign', () => {
    expect(
      toCallPayload({ ...call, endedAt: null }, lead, { recordingUrl: null, actions: [] }),
    ).toMatchObject({
      finished_at: null,
      lead: { id: 9, phone_number: '+15005550020', status: 'completed', campaign: null },
    });
  });
});

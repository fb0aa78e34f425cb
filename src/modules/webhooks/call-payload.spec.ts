import { describe, expect, it } from '@jest/globals';
import { callPayload, type LeadFacts } from './call-payload.js';

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
  answeredBy: 'human',
  endedBy: 'customer',
  endedReason: 'customer_hangup',
  duration: 61,
  transcript: 'AI: Hello.\nCustomer: Goodbye.',
  evaluation: { status: true, summary: 'Nothing was sold.' },
  recordingUrl: 'https://carrier.example.com/recordings/1',
  pricePerMinuteMicros: 10_000n,
  totalCostMicros: 27_500n,
  createdAt,
  answeredAt: createdAt,
  endedAt: new Date('2026-01-31T09:31:01.123Z'),
} as const;

const lead: LeadFacts = {
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
  it('has the documented body', () => {
    expect(callPayload(call, null, { recording: true })).toEqual({
      id: 7,
      customer_phone: '+15005550020',
      assistant_phone: '+14155550100',
      duration: 61,
      status: 'completed',
      extracted_variables: { status: true, summary: 'Nothing was sold.' },
      input_variables: call.variables,
      transcript: 'AI: Hello.\nCustomer: Goodbye.',
      recording_url: 'https://carrier.example.com/recordings/1',
      created_at: '2026-01-31T09:30:00.123000Z',
      finished_at: '2026-01-31T09:31:01.123000Z',
      campaign: null,
      lead: null,
      type: 'outbound',
      assistant_id: 3,
      answered_by: 'human',
      ended_by: 'customer',
      ended_reason: 'customer_hangup',
      total_cost: 0.0275,
    });
  });

  it('contains every key of the variables', () => {
    const text = JSON.stringify(callPayload(call, null, { recording: false }));
    expect(text).toContain('"input_variables":{"order":"Grüße 👋","__proto__":1,"constructor":null}');
  });

  it('has a recording only when it is enabled and exists', () => {
    expect(callPayload(call, null, { recording: false })).not.toHaveProperty('recording_url');
    expect(callPayload({ ...call, recordingUrl: null }, null, { recording: true })).not.toHaveProperty(
      'recording_url',
    );
  });

  it('represents a call without an end, and a lead without its campaign', () => {
    expect(callPayload({ ...call, endedAt: null }, lead, { recording: false })).toMatchObject({
      finished_at: null,
      lead: { id: 9, phone_number: '+15005550020', status: 'completed', campaign: null },
    });
  });
});

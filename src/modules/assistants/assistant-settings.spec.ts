import { describe, expect, it } from '@jest/globals';
import { toColumns } from './assistant-settings.js';

describe('toColumns', () => {
  it('leaves out what the request leaves out, and keeps false, zero and null', () => {
    expect(toColumns({})).toEqual({});
    expect(
      toColumns({
        record_call: false,
        min_interrupt_words: 0,
        phone_number_id: null,
        assistant_name: undefined,
      }),
    ).toStrictEqual({ recordCall: false, minInterruptWords: 0, phoneNumberId: null });
  });

  it.each([
    [{ calls_direction: 'receive' }, { type: 'inbound' }],
    [{ calls_direction: 'make' }, { type: 'outbound' }],
    [{ who_speaks_first: 'Customer' }, { waitForCustomer: true }],
    [{ who_speaks_first: 'AI assistant' }, { waitForCustomer: false }],
    [{ end_call_tool: { description: 'Bye' } }, { endCallDescription: 'Bye' }],
    [{ 'end_call_tool.description': 'Bye' }, { endCallDescription: 'Bye' }],
    [{ end_call_tool: { description: '' } }, { endCallDescription: null }],
    [{ end_call_tool: {} }, {}],
  ] as const)('reads %j', (dto, columns) => {
    expect(toColumns(dto)).toEqual(columns);
  });

  it('ends the webhook with its URL, unless the request says otherwise', () => {
    expect(toColumns({ webhook_url: null })).toEqual({ webhookUrl: null, isWebhookActive: false });
    expect(toColumns({ webhook_url: null, is_webhook_active: true })).toEqual({
      webhookUrl: null,
      isWebhookActive: true,
    });
    expect(toColumns({ webhook_url: 'https://example.com' })).toEqual({ webhookUrl: 'https://example.com' });
  });
});

import { describe, expect, it } from '@jest/globals';
import { statusAfter, statusesBefore } from './sms-status.js';

describe('statusAfter', () => {
  it.each([
    ['pending', 'queued', 'sent'],
    ['pending', 'sent', 'sent'],
    ['pending', 'delivered', 'delivered'],
    ['pending', 'failed', 'failed'],
    ['sent', 'delivered', 'delivered'],
    ['sent', 'failed', 'failed'],
    // Late and out of order.
    ['sent', 'queued', 'sent'],
    ['delivered', 'sent', 'delivered'],
    ['delivered', 'failed', 'delivered'],
    ['failed', 'delivered', 'failed'],
    ['failed', 'sent', 'failed'],
  ] as const)('%s after the report %s is %s', (current, report, next) => {
    expect(statusAfter(current, report)).toBe(next);
  });
});

describe('statusesBefore', () => {
  it('returns all statuses before each status', () => {
    expect(statusesBefore('pending')).toEqual([]);
    expect(statusesBefore('sent')).toEqual(['pending']);
    expect(statusesBefore('delivered')).toEqual(['pending', 'sent']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { resolveLeadTimezone } from './dial-window.js';

const lead = (phoneNumber: string, variables: Record<string, unknown> = {}) => ({ phoneNumber, variables });

describe('resolveLeadTimezone', () => {
  it("is the lead's own where it has one", () => {
    expect(resolveLeadTimezone(lead('+14155550100', { timezone: 'Asia/Tokyo' }), 'UTC')).toBe('Asia/Tokyo');
  });

  it('is none where the lead names one that does not exist', () => {
    expect(resolveLeadTimezone(lead('+14155550100', { timezone: 'Nowhere/At_All' }), 'UTC')).toBeNull();
    expect(resolveLeadTimezone(lead('+14155550100', { timezone: 5 }), 'UTC')).toBeNull();
  });

  it("is the country's where the whole country keeps one time", () => {
    expect(resolveLeadTimezone(lead('+33142685300'), 'UTC')).toBe('Europe/Paris');
  });

  it("is the campaign's where the country has several", () => {
    expect(resolveLeadTimezone(lead('+14155550100'), 'America/Chicago')).toBe('America/Chicago');
  });
});

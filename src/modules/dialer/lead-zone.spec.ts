import { describe, expect, it } from '@jest/globals';
import { resolveLeadTimezone } from './dial-window.js';

const lead = (phoneNumber: string, variables: Record<string, unknown> = {}) => ({ phoneNumber, variables });

describe('resolveLeadTimezone', () => {
  it('is that of the lead', () => {
    expect(resolveLeadTimezone(lead('+14155550100', { timezone: 'Asia/Tokyo' }), 'UTC')).toBe('Asia/Tokyo');
  });

  it('is null when the zone of the lead does not exist', () => {
    expect(resolveLeadTimezone(lead('+14155550100', { timezone: 'Nowhere/At_All' }), 'UTC')).toBeNull();
    expect(resolveLeadTimezone(lead('+14155550100', { timezone: 5 }), 'UTC')).toBeNull();
  });

  it('is that of a country with one time zone', () => {
    expect(resolveLeadTimezone(lead('+33142685300'), 'UTC')).toBe('Europe/Paris');
  });

  it('is that of the campaign for a country with several', () => {
    expect(resolveLeadTimezone(lead('+14155550100'), 'America/Chicago')).toBe('America/Chicago');
  });
});

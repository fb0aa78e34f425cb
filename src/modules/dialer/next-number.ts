import type { LeadForDialling } from '../leads/lead-view.js';

export interface NumberToDial {
  /** The lead's or the contact's id. */
  id: number;
  phoneNumber: string;
  variables: Record<string, unknown>;
}

/** The main number first, then the contacts in their order, each as often as the campaign allows. */
export function nextNumber(
  lead: LeadForDialling,
  maxRetries: number,
  skip: Set<number>,
): NumberToDial | null {
  return [lead, ...lead.contacts].find(({ id, attempts }) => attempts < maxRetries && !skip.has(id)) ?? null;
}

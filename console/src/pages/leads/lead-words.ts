import type { Schemas } from '#console/api/client';
import type { Tone } from '#console/components/status-badge';
import { t } from '#console/texts';

export type Lead = Schemas['LeadResponse'];
export type Contact = Schemas['SecondaryContactResponse'];

/** The values of the form of a new one. */
export interface NewLead extends Record<string, unknown> {
  phone_number: string;
  campaign_id: string;
  variables: Record<string, unknown>;
  secondary_contacts: { phone_number: string }[];
  allow_dupplicate: boolean;
}

const TONES: Record<Lead['status'], Tone> = {
  created: 'waiting',
  scheduled: 'waiting',
  rescheduled: 'waiting',
  processing: 'running',
  completed: 'good',
  'reached-max-retries': 'neutral',
  blacklisted: 'bad',
};

export const toneOf = (status: Lead['status']): Tone => TONES[status];

export const statusOf = (status: string): string => t.leads.statuses[status] ?? status;

export const outcomeOf = (outcome: string | null): string =>
  outcome === null ? '–' : (t.leads.outcomes[outcome] ?? outcome);

/** What files call a person, also as `First Name`. */
const NAMES = ['name', 'customer_name', 'full_name', 'first_name'];

/** The person's name, if a variable has it. */
export function nameOf({ variables }: Pick<Contact, 'variables'>): string | null {
  const values = new Map(
    Object.entries(variables).map(([name, value]) => [name.toLowerCase().replace(/[^a-z]+/g, '_'), value]),
  );
  const found = NAMES.map((name) => values.get(name)).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof found === 'string' ? found : null;
}

export const textOf = (value: unknown): string =>
  value == null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);

import { describe, expect, it } from '@jest/globals';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

const names = new SnakeNamingStrategy();

describe('SnakeNamingStrategy', () => {
  it.each([
    ['id', 'id'],
    ['planId', 'plan_id'],
    ['maxLeadsPerCampaign', 'max_leads_per_campaign'],
    ['iso2', 'iso2'],
  ])('derives the column of %s', (property, column) => {
    expect(names.columnName(property, undefined, [])).toBe(column);
  });

  it('keeps a name that is given, and puts the name of an embedded object before it', () => {
    expect(names.columnName('from', 'from_number', [])).toBe('from_number');
    expect(names.columnName('zipCode', undefined, ['homeAddress'])).toBe('home_address_zip_code');
  });

  it('derives the column of a relation', () => {
    expect(names.joinColumnName('mainLead', 'id')).toBe('main_lead_id');
  });

  it('names constraints as Postgres does', () => {
    expect(names.primaryKeyName('plans')).toBe('plans_pkey');
    expect(names.uniqueConstraintName('public.ledger_entries', ['kind', 'reference'])).toBe(
      'ledger_entries_kind_reference_key',
    );
    expect(names.foreignKeyName('accounts', ['plan_id'])).toBe('accounts_plan_id_fkey');
  });
});

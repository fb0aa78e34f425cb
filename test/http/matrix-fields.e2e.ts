import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccountWithResources } from '../factories/account-resources.js';
import type { Answer } from '../support/client.js';
import { openApi } from '../support/contract.js';
import { fieldCases, inRounds, type FieldCase } from '../support/field-cases.js';
import {
  idsOf,
  inParallel,
  matrixEntries,
  pathWith,
  send,
  titled,
  type Entry,
  type Refusal,
} from '../support/matrix.js';
import type { AccountResources } from '../support/route.types.js';

/**
 * The matrix, generated from the service's own document: every field is missing, null, of a wrong type, at and beyond
 * its limits. A 422 names all wrong fields, so one request carries a value for each of many fields. What such a request
 * does not show of a field, because of another one, is asked with this field alone.
 */
const ENTRIES = await matrixEntries();
const DOCUMENT = await openApi();
/** A 422 has at most 20 messages, and a wrong list or object may have several. */
const MAX_WRONG_FIELDS = 10;

let resources: AccountResources;

beforeAll(async () => {
  resources = await anAccountWithResources();
});

const schemaOf = ({ operation }: Entry) => operation.requestBody?.content['application/json']?.schema;
const WITH_BODY = titled(ENTRIES.filter(schemaOf));

/** Accepted or refused cases of the entry's fields. */
function casesOf(entry: Entry, accepted: boolean): FieldCase[] {
  return fieldCases(schemaOf(entry) ?? {}, DOCUMENT).filter((one) => one.accepted === accepted);
}

/** A valid body with the values of these cases. */
function ask(entry: Entry, cases: readonly FieldCase[]): Promise<Answer<Refusal>> {
  const { body, invalid } = entry.route;
  if (!body || !invalid) throw new Error(`${entry.path} has a body that the table does not know`);
  const given = Object.assign(body(resources), ...cases.map(({ field, value }) => ({ [field]: value })));
  // JSON has no undefined: such a field is missing.
  return send(resources.account.client, entry, idsOf(resources, entry), given);
}

const errorsOf = ({ body }: Answer<Refusal>, { field }: FieldCase): string[] =>
  Object.entries(body.errors ?? {})
    .filter(([key]) => key === field || key.startsWith(`${field}.`))
    .flatMap(([, texts]) => texts);

/** Messages of the contract begin with it; those of a framework begin with the name of the field. */
const CONTRACT_MESSAGE = /^The /;

/** Whether the answer shows that the value is refused, for the reason that is documented. */
function isRefused(entry: Entry, one: FieldCase, answer: Answer<Refusal>): boolean {
  const { status, body } = answer;
  const texts = errorsOf(answer, one);
  const isSaid = one.message === undefined || body.errors?.[one.field]?.join() === one.message;
  const isOurs = texts.length > 0 && texts.every((text) => CONTRACT_MESSAGE.test(text));
  return status === 422 && body.message === entry.route.invalid && isOurs && isSaid;
}

/**
 * Whether nothing is said against the value, but that it is none of the account's, not in a list that it names, or
 * there already.
 */
const isTaken = (one: FieldCase, answer: Answer<Refusal>): boolean =>
  answer.status < 500 && errorsOf(answer, one).every((text) => /selected|already been taken/.test(text));

const told = ({ field, title }: FieldCase, { status, text }: Answer<Refusal>): string =>
  `${field} ${title}: ${status} ${text}`;

describe('the limits of the document', () => {
  it.each(WITH_BODY)('%s: refuses what is beyond', async (_, entry) => {
    const rounds = inRounds(casesOf(entry, false), MAX_WRONG_FIELDS);
    const problems = await inParallel(rounds, async (round) => {
      const together = await ask(entry, round);
      const alone = round.filter((one) => !isRefused(entry, one, together));
      const answers = await inParallel(alone, (one) => ask(entry, [one]));
      return alone.flatMap((one, index) => {
        const answer = answers[index] ?? together;
        return isRefused(entry, one, answer) ? [] : [told(one, answer)];
      });
    });
    expect(problems.flat()).toEqual([]);
  });

  it.each(WITH_BODY)('%s: accepts what is within', async (_, entry) => {
    const problems: string[] = [];
    // One after the other, because each may change the resource.
    for (const round of inRounds(casesOf(entry, true))) problems.push(...(await notTaken(entry, round)));
    expect(problems).toEqual([]);
  });
});

/**
 * A refused request stores nothing: what its answer does not name is sent again without the others, in halves where
 * it names none of these fields.
 */
async function notTaken(entry: Entry, cases: readonly FieldCase[]): Promise<string[]> {
  if (cases.length === 0) return [];
  const answer = await ask(entry, cases);
  if (cases.length === 1 || answer.status >= 500)
    return cases.filter((one) => !isTaken(one, answer)).map((one) => told(one, answer));
  if (answer.status < 300) return [];
  const isNamed = (one: FieldCase) => errorsOf(answer, one).length > 0;
  const again = cases.filter((one) => !isNamed(one));
  const alone = cases.filter((one) => isNamed(one) && !isTaken(one, answer));
  const half = again.length < cases.length ? again.length : Math.ceil(again.length / 2);
  const parts = [again.slice(0, half), again.slice(half), ...alone.map((one) => [one])];
  const problems: string[] = [];
  for (const part of parts) problems.push(...(await notTaken(entry, part)));
  return problems;
}

describe('pages and sizes of a list', () => {
  const LISTS = titled(
    ENTRIES.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'per_page')),
  );
  /** The query, and the fields that the 422 names; none: 200. */
  const QUERIES: [query: string, wrong: string[]][] = [
    ['page=0&per_page=0', ['page', 'per_page']],
    ['page=x&per_page=101', ['page', 'per_page']],
    ['page=1.5&per_page=', ['page', 'per_page']],
    ['page=-1', ['page']],
    ['page[]=1', []],
    ['page=1&per_page=1', []],
    ['page=999&per_page=100', []],
  ];

  it.each(LISTS)('%s: refuses values out of range or no integer', async (_, entry) => {
    const path = pathWith(entry, idsOf(resources, entry));
    await inParallel(QUERIES, async ([query, wrong]) => {
      const { status, body } = await resources.account.client.get<Refusal>(`${path}?${query}`);
      const named = Object.keys(body.errors ?? {}).sort();
      expect([query, status, named]).toEqual([query, wrong.length > 0 ? 422 : 200, wrong]);
    });
  });
});

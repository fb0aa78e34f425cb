import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '#console/api/client';
import { useSearchChange } from '#console/components/use-search-change';
import { formatPhone } from '#console/formats/numbers';
import { t } from '#console/texts';

const MOST_SHOWN = 20;
const TYPING_MS = 300;
/** Shown beside a lead's number. */
const NAMES = ['name', 'customer_name', 'first_name', 'company'];

/** With whose variables the assistant is tried: a search parameter of the address. */
export function LeadSelect() {
  const { lead } = useSearch({ from: '/shell/assistants/$id' });
  const change = useSearchChange();
  const [typed, setTyped] = useState('');
  const [number] = useDebouncedValue(typed.replace(/[^\d+]/g, ''), TYPING_MS);
  const { data: page } = $api.useQuery('get', '/user/leads', {
    params: { query: { page: 1, per_page: MOST_SHOWN, ...(number && { phone_number: number }) } },
  });
  const id = Number(lead ?? 0);
  const { data: stored } = $api.useQuery(
    'get',
    '/user/leads/{id}',
    { params: { path: { id } } },
    { enabled: id > 0 },
  );
  const chosen = stored?.data;
  const leads = page && 'data' in page ? page.data : [];
  const all = chosen && !leads.some((one) => one.id === id) ? [chosen, ...leads] : leads;
  return (
    <Select
      size="xs"
      label={t.assistants.lead}
      placeholder={t.assistants.leadDefault}
      nothingFoundMessage={t.shell.nothingFound}
      data={all.map((one) => ({ value: String(one.id), label: describe(one) }))}
      value={id > 0 ? String(id) : null}
      onChange={(next) => change({ lead: next ?? undefined }, { isStep: false })}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      searchable
      clearable
    />
  );
}

function describe({
  phone_number,
  variables,
}: {
  phone_number: string;
  variables: Record<string, unknown>;
}): string {
  const name = NAMES.map((key) => variables[key]).find((value) => typeof value === 'string' && value !== '');
  return name === undefined ? formatPhone(phone_number) : `${String(name)}, ${formatPhone(phone_number)}`;
}

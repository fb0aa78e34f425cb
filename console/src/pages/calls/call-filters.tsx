import '@mantine/dates/styles.css';
import { DatePickerInput } from '@mantine/dates';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '#console/api/client';
import { useSearchChange } from '#console/components/list-page';
import { FilterSelect, FilterText } from '#console/components/search-filters';
import { t } from '#console/texts';

const STALE_MS = 60_000;
const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const named = (items: { id: number; name: string }[] | undefined) =>
  (items ?? []).map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }));

export function CallFilters() {
  const { filters, statuses, types } = t.calls;
  const assistants = $api.useQuery('get', '/user/assistants', undefined, { staleTime: STALE_MS });
  const campaigns = $api.useQuery('get', '/user/campaigns', undefined, { staleTime: STALE_MS });
  return (
    <>
      <FilterText name="phone_number" label={filters.phone} placeholder="+1 500 555 …" />
      <FilterSelect
        name="status"
        label={filters.status}
        placeholder={filters.any}
        data={[{ value: 'running', label: filters.running }, ...options(statuses)]}
      />
      <FilterSelect
        name="type"
        label={filters.type}
        placeholder={filters.any}
        data={options(types)}
        w={120}
      />
      <FilterSelect
        name="assistant_id"
        label={filters.assistant}
        placeholder={filters.any}
        data={named(assistants.data)}
      />
      <FilterSelect
        name="campaign_id"
        label={filters.campaign}
        placeholder={filters.any}
        data={named(campaigns.data)}
      />
      <FilterDays />
    </>
  );
}

/** The API's days are those of UTC. */
function FilterDays() {
  const { date_from: from, date_to: to } = useSearch({ from: '/shell/calls' });
  const change = useSearchChange();
  const [first, setFirst] = useState<string | null>(null);
  return (
    <DatePickerInput
      type="range"
      allowSingleDateInRange
      size="xs"
      w={200}
      clearable
      label={t.calls.filters.days}
      placeholder={t.calls.filters.any}
      valueFormat="D MMM YYYY"
      value={first === null ? [from ?? null, to ?? null] : [first, null]}
      onChange={([begin, end]) => {
        // After the first of two clicks there is no range yet.
        const isHalf = begin !== null && end === null;
        setFirst(isHalf ? begin : null);
        if (!isHalf) change({ date_from: begin ?? undefined, date_to: end ?? undefined, page: undefined });
      }}
    />
  );
}

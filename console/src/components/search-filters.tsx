import { Select, TextInput, type SelectProps, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { $api } from '#console/api/client';
import { t } from '#console/texts';
import { useSearchChange } from './use-search-change';

const TYPING_MS = 300;

interface FilterProps {
  /** Of the search parameter. */
  name: string;
  label: string;
}

/** Drawn again when this parameter changes, and not with each page of the list. */
export const useFilterValue = (name: string): string =>
  useSearch({
    strict: false,
    select: (search) => String((search as Record<string, unknown>)[name] ?? ''),
  });

/** Of a select, out of the labels by their values. */
export const optionsOf = (labels: Record<string, string>): { value: string; label: string }[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The same of what has an id and a name, which others may have too. */
export const namedOptions = (
  items: readonly { id: number; name: string }[] | undefined,
): { value: string; label: string }[] =>
  (items ?? []).map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }));

/** A choice that is a search parameter of the address. */
export function FilterSelect({
  name,
  label,
  ...rest
}: FilterProps & Omit<SelectProps, 'value' | 'onChange'>) {
  const value = useFilterValue(name);
  const change = useSearchChange();
  return (
    <Select
      size="xs"
      w={160}
      clearable
      searchable
      placeholder={t.list.any}
      label={label}
      value={value === '' ? null : value}
      onChange={(next) => change({ [name]: next ?? undefined, page: undefined })}
      {...rest}
    />
  );
}

/** A text that is a search parameter of the address, once the user stops typing. */
export function FilterText({
  name,
  label,
  ...rest
}: FilterProps & Omit<TextInputProps, 'value' | 'onChange'>) {
  const value = useFilterValue(name);
  const [typed, setTyped] = useState<string | null>(null);
  const change = useSearchChange();
  const apply = useDebouncedCallback(
    (next: string) => change({ [name]: next || undefined, page: undefined }, { isStep: false }),
    TYPING_MS,
  );
  return (
    <TextInput
      size="xs"
      w={160}
      label={label}
      value={typed ?? value}
      onBlur={() => {
        apply.flush();
        setTyped(null);
      }}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        apply(currentTarget.value);
      }}
      {...rest}
    />
  );
}

/** Read for many pages, and seldom changed. */
const STALE_MS = 60_000;

/** `assistant_id` of the address. */
export function FilterAssistant() {
  const { data } = $api.useQuery('get', '/user/assistants', undefined, { staleTime: STALE_MS });
  return <FilterSelect name="assistant_id" label={t.list.assistant} data={namedOptions(data)} />;
}

/** `campaign_id` of the address. */
export function FilterCampaign() {
  const { data } = $api.useQuery('get', '/user/campaigns', undefined, { staleTime: STALE_MS });
  return <FilterSelect name="campaign_id" label={t.list.campaign} data={namedOptions(data)} />;
}

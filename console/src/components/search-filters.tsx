import { Select, TextInput, type SelectProps, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useSearchChange } from './list-page';

const TYPING_MS = 300;

interface FilterProps {
  /** Of the search parameter. */
  name: string;
  label: string;
}

const useValue = (name: string): string =>
  String((useSearch({ strict: false }) as Record<string, unknown>)[name] ?? '');

/** Of a select, out of the labels by their values. */
export const optionsOf = (labels: Record<string, string>): { value: string; label: string }[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** A choice that is a search parameter of the address. */
export function FilterSelect({
  name,
  label,
  ...rest
}: FilterProps & Omit<SelectProps, 'value' | 'onChange'>) {
  const value = useValue(name);
  const change = useSearchChange();
  return (
    <Select
      size="xs"
      w={160}
      clearable
      searchable
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
  const value = useValue(name);
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

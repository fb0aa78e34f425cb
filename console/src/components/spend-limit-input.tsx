import { NumberInput, type NumberInputProps } from '@mantine/core';
import { t } from '#console/texts';

/** As the API has it. */
const MAX = 1_000_000;

interface SpendLimitInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** Null: no limit. */
  value?: number | null;
  onChange: (value: number | null) => void;
  help: string;
}

/** `spend_limit_per_hour` of a form. */
export function SpendLimitInput({ value, onChange, help, ...props }: SpendLimitInputProps) {
  return (
    <NumberInput
      label={t.spendLimit.label}
      description={help}
      placeholder={t.spendLimit.none}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : Number(next))}
      min={0}
      max={MAX}
      decimalScale={6}
      clampBehavior="none"
      {...props}
    />
  );
}

import { NumberInput, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#console/texts';
import type { DayField } from './retention-rules';

const texts = t.retention;
/** As the API has it. */
const MOST_DAYS = 3650;

interface DayInputProps {
  name: DayField;
  value: number | null;
  change: (days: number | null) => void;
  /** What counts without a number. */
  placeholder: string;
  error?: ReactNode;
}

export function DayInput({ name, value, change, placeholder, error }: DayInputProps) {
  return (
    <NumberInput
      label={texts.labels[name]}
      description={texts.help[name]}
      value={value ?? ''}
      onChange={(next) => change(next === '' ? null : Number(next))}
      min={1}
      max={MOST_DAYS}
      allowDecimal={false}
      clampBehavior="none"
      suffix={texts.suffix}
      placeholder={placeholder}
      error={error}
      styles={{ wrapper: { maxWidth: 240 } }}
    />
  );
}

interface MaskSwitchProps {
  isOn: boolean;
  change: (isOn: boolean) => void;
  /** Further help. */
  note?: string | undefined;
}

export const MaskSwitch = ({ isOn, change, note }: MaskSwitchProps) => (
  <Switch
    label={texts.mask}
    description={note === undefined ? texts.maskHelp : `${texts.maskHelp} ${note}`}
    checked={isOn}
    onChange={({ currentTarget }) => change(currentTarget.checked)}
  />
);

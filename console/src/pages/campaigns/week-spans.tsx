import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { t } from '#console/texts';
import { daysText, groupDays, replaceSpan, timeOf, type Week } from './week-hours';

interface WeekSpansProps {
  value: Week;
  onChange: (week: Week) => void;
}

/** The same hours as times, where minutes can be set. */
export function WeekSpans({ value, onChange }: WeekSpansProps) {
  const { week: words } = t.campaigns;
  return (
    <Stack gap="xs">
      {groupDays(value).flatMap(({ days, spans }) =>
        spans.map((span, at) => {
          const name = daysText(days);
          const set = (changes: { from?: number; to?: number }): void =>
            onChange(replaceSpan(value, days, at, { ...span, ...changes }));
          return (
            <Group key={`${name} ${at}`} gap="xs" wrap="nowrap">
              <Text size="sm" w={110}>
                {name}
              </Text>
              <Time
                label={words.from(name)}
                value={span.from}
                onChange={(from) => from < span.to && set({ from })}
              />
              –
              <Time label={words.to(name)} value={span.to} onChange={(to) => to > span.from && set({ to })} />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.removeHours(name)}
                onClick={() => onChange(replaceSpan(value, days, at, null))}
              >
                <X size={14} />
              </ActionIcon>
            </Group>
          );
        }),
      )}
    </Stack>
  );
}

const TIME = /^([01]?\d|2[0-3]):?([0-5]\d)$|^24:?00$/;

interface TimeProps {
  label: string;
  /** Minutes of the day. */
  value: number;
  onChange: (minutes: number) => void;
}

/** A text, not a time of the browser: the day's end is 24:00. */
function Time({ label, value, onChange }: TimeProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const done = (): void => {
    const match = TIME.exec((typed ?? '').trim());
    if (match) onChange(match[1] === undefined ? 24 * 60 : Number(match[1]) * 60 + Number(match[2]));
    setTyped(null);
  };
  return (
    <TextInput
      size="xs"
      w={70}
      aria-label={label}
      value={typed ?? timeOf(value)}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={done}
    />
  );
}

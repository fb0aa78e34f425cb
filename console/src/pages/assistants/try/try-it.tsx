import { Alert, Box, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '#console/components/use-search-change';
import { t } from '#console/texts';
import type { Assistant } from '../assistant-values';
import { LeadSelect } from '../lead-select';
import { useTrialLead } from '../use-lead';
import { CallNumber } from './call-number';
import { Talk } from './talk';
import { Write } from './write';

const texts = t.assistants.try;
const MODES = ['talk', 'write', 'call'] as const;

/** Beside the settings: talk to the assistant, write to it, or let it call. */
export function TryIt({ assistant, isDirty }: { assistant: Assistant; isDirty: boolean }) {
  const search = useSearch({ from: '/shell/assistants/$id' });
  const change = useSearchChange();
  const lead = useTrialLead();
  const mode = MODES.find((one) => one === search.try) ?? 'talk';
  return (
    <Box component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{texts.title}</Title>
          <SegmentedControl
            size="xs"
            aria-label={texts.title}
            value={mode}
            onChange={(next) => change({ try: next === 'talk' ? undefined : next }, { isStep: false })}
            data={MODES.map((value) => ({ value, label: texts.modes[value] }))}
          />
        </Group>
        <LeadSelect />
        {assistant.status === 'inactive' && <Note text={texts.inactive} />}
        {mode === 'talk' && <Talk assistant={assistant} variables={lead.variables} />}
        {mode === 'write' && <Write assistant={assistant} variables={lead.variables} />}
        {mode === 'call' && <CallNumber assistant={assistant} lead={lead} />}
        {isDirty && <Note text={texts.notSaved} />}
      </Stack>
    </Box>
  );
}

const Note = ({ text }: { text: string }) => (
  <Alert color="yellow" py={6}>
    {text}
  </Alert>
);

import '@mantine/dates/styles.css';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#console/api/api-error';
import { api } from '#console/api/client';
import { notifyDone } from '#console/components/notify';
import { parseTime } from '#console/formats/time';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import type { Lead } from './lead-words';
import { fromZone, inZone } from './zone-time';

/** The API takes appointments up to 90 days ahead. */
const MAX_DAYS = 90;
const DAY_MS = 86_400_000;

export function ScheduleDialog({ lead, isOpen, close }: { lead: Lead; isOpen: boolean; close: () => void }) {
  const { scheduling } = t.leads;
  const { times } = useSession();
  const client = useQueryClient();
  const stored = lead.status === 'scheduled' && lead.next_attempt_at !== null ? lead.next_attempt_at : null;
  const [value, setValue] = useState(() => (stored === null ? null : inZone(parseTime(stored), times.zone)));
  const [[first, last]] = useState(() => {
    const now = Date.now();
    return [now, now + MAX_DAYS * DAY_MS].map((time) => inZone(new Date(time), times.zone));
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);

  const schedule = (at: Date | null): Promise<unknown> =>
    api.POST('/user/leads/{id}/schedule', {
      params: { path: { id: lead.id } },
      body: { scheduled_at: at === null ? null : at.toISOString().slice(0, 19).replace('T', ' ') },
    });
  const save = async (at: Date | null): Promise<void> => {
    setSaving(true);
    setProblem(null);
    try {
      await schedule(at);
      notifyDone(at === null ? scheduling.cleared : scheduling.saved, () =>
        schedule(stored === null ? null : parseTime(stored)),
      );
      close();
      await client.invalidateQueries();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <Modal opened={isOpen} onClose={close} title={scheduling.title}>
      <Stack gap="md">
        <DateTimePicker
          data-autofocus
          label={scheduling.at(times.zone)}
          valueFormat="D MMM YYYY, HH:mm"
          minDate={first}
          maxDate={last}
          value={value}
          onChange={setValue}
          error={problem}
          popoverProps={{ withinPortal: true }}
        />
        <Text size="sm" c="dimmed">
          {scheduling.help}
        </Text>
        <Group>
          <Button
            loading={isSaving}
            onClick={() =>
              value === null ? setProblem(scheduling.missing) : void save(fromZone(value, times.zone))
            }
          >
            {scheduling.save}
          </Button>
          {stored !== null && (
            <Button variant="default" disabled={isSaving} onClick={() => void save(null)}>
              {scheduling.clear}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

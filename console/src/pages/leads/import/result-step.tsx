import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveAs } from '#console/api/download';
import { LinkButton } from '#console/components/links';
import { MetricTile } from '#console/components/metric-tile';
import { notifyFailed } from '#console/components/notify';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';
import { refusedLines, type CsvHead } from './csv-file';
import { LineErrors } from './report';
import type { ImportReport } from './send-file';

interface ResultStepProps {
  head: CsvHead;
  names: string[];
  report: ImportReport;
  campaignId: number;
  onAgain: () => void;
}

export function ResultStep({ head, names, report, campaignId, onAgain }: ResultStepProps) {
  const { importing } = t.leads;
  const [isSaving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      saveAs(await refusedLines(head, report.errors), importing.refusedName(head.file.name));
    } catch (error) {
      notifyFailed(importing.failed, error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Stack gap="lg">
      <Text fw={600} size="lg" role="status">
        {importing.done(report.imported)}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 4 }} maw={640}>
        <MetricTile label={importing.imported} value={formatCount(report.imported)} />
        <MetricTile label={importing.duplicate} value={formatCount(report.duplicates)} />
        <MetricTile label={importing.invalid} value={formatCount(report.invalid)} />
      </SimpleGrid>
      <Group>
        <LinkButton to="/campaigns/$id" params={{ id: String(campaignId) }}>
          {importing.toCampaign}
        </LinkButton>
        <LinkButton variant="default" to="/leads" search={{ campaign_id: String(campaignId) }}>
          {importing.toLeads}
        </LinkButton>
        <Button variant="default" onClick={onAgain}>
          {importing.again}
        </Button>
      </Group>
      {report.errors.length > 0 && (
        <Stack gap="xs">
          <Group gap="sm">
            <Button
              variant="default"
              size="xs"
              leftSection={<Download size={14} />}
              loading={isSaving}
              onClick={save}
            >
              {importing.download(report.errors.length)}
            </Button>
            <Text size="sm" c="dimmed">
              {importing.downloadHelp}
            </Text>
          </Group>
          <LineErrors head={head} names={names} report={report} />
        </Stack>
      )}
    </Stack>
  );
}

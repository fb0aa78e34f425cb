import { Alert, Button, FileButton, Group, Select, Stack, Text } from '@mantine/core';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { useState } from 'react';
import { saveAs } from '#console/api/download';
import { DropZone } from '#console/components/drop-zone';
import { LinkAnchor } from '#console/components/links';
import { namedOptions } from '#console/components/search-filters';
import { formatBytes } from '#console/formats/numbers';
import { t } from '#console/texts';
import { readHead, UnreadableFile, type CsvHead } from './csv-file';

interface FileStepProps {
  head: CsvHead | null;
  onHead: (head: CsvHead | null) => void;
  campaigns: { id: number; name: string }[] | undefined;
  campaignId: number | null;
  onCampaign: (id: number | null) => void;
}

const SAMPLE =
  'phone_number,name,timezone\r\n+15005550020,Alex,America/New_York\r\n+15005550025,Kim,Europe/Berlin\r\n';

export function FileStep({ head, onHead, campaigns, campaignId, onCampaign }: FileStepProps) {
  const { importing } = t.leads;
  return (
    <Stack gap="md" maw={640}>
      <ChosenFile head={head} onHead={onHead} />
      {campaigns?.length === 0 ? (
        <Text size="sm">
          {t.leads.form.noCampaign}{' '}
          <LinkAnchor to="/campaigns/new" underline="always">
            {importing.newCampaign}
          </LinkAnchor>
        </Text>
      ) : (
        <Select
          label={importing.campaign}
          searchable
          data={namedOptions(campaigns)}
          value={campaignId === null ? null : String(campaignId)}
          onChange={(value) => onCampaign(value === null ? null : Number(value))}
        />
      )}
    </Stack>
  );
}

function ChosenFile({ head, onHead }: Pick<FileStepProps, 'head' | 'onHead'>) {
  const { importing } = t.leads;
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    try {
      setProblem(null);
      onHead(await readHead(file));
    } catch (error) {
      onHead(null);
      setProblem(error instanceof UnreadableFile ? error.message : importing.problems.header);
    }
  };
  return (
    <>
      <DropZone p="xl" onFiles={([file]) => void take(file)}>
        <Stack align="center" gap="xs" ta="center">
          {head ? <FileSpreadsheet size={24} aria-hidden /> : <Upload size={24} aria-hidden />}
          <Text fw={500} aria-live="polite">
            {head ? importing.chosen(head.file.name, formatBytes(head.file.size)) : importing.drop}
          </Text>
          <FileButton onChange={(file) => void take(file)} accept=".csv,.tsv,.txt,text/csv,text/plain">
            {(props) => (
              <Button {...props} size="xs" variant={head ? 'default' : 'filled'}>
                {head ? importing.other : importing.choose}
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            {importing.dropHelp}
          </Text>
          {!head && (
            <Group>
              <Button
                size="compact-sm"
                variant="subtle"
                onClick={() => saveAs(new Blob([SAMPLE], { type: 'text/csv' }), 'leads.csv')}
              >
                {importing.sample}
              </Button>
            </Group>
          )}
        </Stack>
      </DropZone>
      {problem !== null && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </>
  );
}

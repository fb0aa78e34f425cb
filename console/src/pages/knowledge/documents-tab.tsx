import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Globe, Upload } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { DropZone } from '#console/components/drop-zone';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { DataTable, type Column } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { NeedsScope } from '#console/components/needs-scope';
import { StatusBadge } from '#console/components/status-badge';
import { formatCount } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { AddWebsite } from './add-website';
import { toneOf, type KnowledgeDocument } from './knowledge-words';
import { Uploads } from './uploads';
import { ACCEPTED, type useUploads } from './use-uploads';

const { documents: texts, types, statuses, website } = t.knowledge;

interface DocumentsTabProps {
  baseId: number;
  query: { data: { data: KnowledgeDocument[] } | undefined; error: unknown; refetch: () => unknown };
  uploads: ReturnType<typeof useUploads>;
}

export function DocumentsTab({ baseId, query: { data, error, refetch }, uploads }: DocumentsTabProps) {
  const { can } = useSession();
  const [isAdding, adding] = useDisclosure(false);
  const columns = useMemo(() => columnsOf(baseId), [baseId]);
  const forget = useRef<() => void>(null);
  const isEmpty = data?.data.length === 0;
  return (
    <Stack gap="md">
      <DropZone p="md" onFiles={(files) => can('write') && uploads.add(files)}>
        <Stack gap="xs" align="center" ta="center" py={isEmpty ? 'lg' : 0}>
          <Text fw={500} maw={460}>
            {isEmpty ? texts.first : texts.drop}
          </Text>
          <Group gap="xs" justify="center">
            <NeedsScope scope="write">
              {(refusal) => (
                <FileButton
                  multiple
                  accept={ACCEPTED}
                  resetRef={forget}
                  onChange={(files) => {
                    uploads.add(files);
                    // The same file may be chosen again, e.g. after it was mended.
                    forget.current?.();
                  }}
                >
                  {(props) => (
                    <Button {...props} size="xs" leftSection={<Upload size={14} />} {...refusal}>
                      {texts.choose}
                    </Button>
                  )}
                </FileButton>
              )}
            </NeedsScope>
            <NeedsScope scope="write">
              {(refusal) => (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<Globe size={14} />}
                  onClick={adding.open}
                  {...refusal}
                >
                  {website.action}
                </Button>
              )}
            </NeedsScope>
          </Group>
          <Text size="sm" c="dimmed">
            {texts.help}
          </Text>
        </Stack>
      </DropZone>
      {isAdding && <AddWebsite baseId={baseId} close={adding.close} />}
      <Uploads {...uploads} />
      {error && !data ? (
        <ErrorNote error={error} retry={refetch} />
      ) : (
        !isEmpty && (
          <DataTable
            title={texts.table}
            rows={data?.data}
            columns={columns}
            rowKey={({ id }) => id}
            rowsWhileLoading={3}
          />
        )
      )}
    </Stack>
  );
}

const columnsOf = (baseId: number): Column<KnowledgeDocument>[] => [
  {
    key: 'name',
    header: texts.name,
    cell: ({ id, name, failure_reason: reason }) => (
      <>
        <LinkAnchor
          className="row-link"
          to="/knowledge/$id/documents/$document"
          params={{ id: String(baseId), document: String(id) }}
          c="inherit"
          fz="sm"
          style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
        >
          {name}
        </LinkAnchor>
        {reason !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {reason}
          </Text>
        )}
      </>
    ),
  },
  { key: 'type', header: texts.type, isSecondary: true, cell: ({ type }) => types[type] ?? type },
  {
    key: 'status',
    header: texts.status,
    cell: ({ status }) => <StatusBadge tone={toneOf(status)}>{statuses[status] ?? status}</StatusBadge>,
  },
  {
    key: 'passages',
    header: texts.passages,
    align: 'right',
    cell: ({ chunks_count: count }) => formatCount(count),
  },
  {
    key: 'updated',
    header: texts.updated,
    align: 'right',
    isSecondary: true,
    cell: ({ updated_at: at }) => <Moment at={at} />,
  },
];

import { Button, FileInput, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { ApiError, messageOf } from '#console/api/api-error';
import { api, type Schemas } from '#console/api/client';
import { ErrorNote } from '#console/components/error-note';
import { DataTable } from '#console/components/list-page';
import { formatCount } from '#console/formats/numbers';
import { t } from '#console/texts';

type Report = Schemas['ImportReportResponse'];

const texts = t.suppressions.import;

export function ImportSuppressions({ close }: { close: () => void }) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const send = useMutation({
    mutationFn: upload,
    onSuccess: () => client.invalidateQueries({ queryKey: ['get', '/user/suppressions'] }),
  });
  const fileError = send.error instanceof ApiError ? send.error.errors.file?.join(' ') : undefined;
  return (
    <Modal opened onClose={close} title={texts.title} size="lg">
      {send.data ? (
        <Result report={send.data} close={close} />
      ) : (
        <Stack>
          <Text size="sm">{texts.text}</Text>
          <FileInput
            data-autofocus
            label={texts.file}
            placeholder={texts.choose}
            leftSection={<FileUp size={14} />}
            accept=".csv,.txt,text/csv,text/plain"
            value={file}
            onChange={(chosen) => {
              setFile(chosen);
              send.reset();
            }}
            error={fileError}
          />
          {send.error && fileError === undefined && <ErrorNote error={messageOf(send.error)} />}
          <Group justify="flex-end">
            <Button
              disabled={file === null}
              loading={send.isPending}
              onClick={() => file && send.mutate(file)}
            >
              {texts.submit}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

async function upload(file: File): Promise<Report> {
  const { data } = await api.POST('/user/suppressions/import', {
    body: { file: file.name },
    bodySerializer: () => {
      const form = new FormData();
      form.append('file', file);
      return form;
    },
  });
  return data?.data as Report;
}

function Result({ report, close }: { report: Report; close: () => void }) {
  const { imported, duplicates, invalid, errors } = report;
  const sentences = [
    texts.done(formatCount(imported)),
    ...(duplicates > 0 ? [texts.duplicates(formatCount(duplicates))] : []),
    ...(invalid > 0 ? [texts.invalid(formatCount(invalid))] : []),
  ];
  return (
    <Stack>
      <Text role="status">{`${sentences.join(', ')}.`}</Text>
      {errors.length > 0 && (
        <div>
          {invalid > errors.length && <Text size="sm">{texts.first(errors.length)}</Text>}
          <DataTable
            title={texts.problems}
            rows={errors}
            rowKey={({ line, field }) => `${line} ${field}`}
            columns={[
              { key: 'line', header: texts.line, align: 'right', width: 70, cell: ({ line }) => line },
              { key: 'problem', header: texts.problem, cell: ({ message }) => message },
            ]}
          />
        </div>
      )}
      <Group justify="flex-end">
        <Button data-autofocus onClick={close}>
          {texts.close}
        </Button>
      </Group>
    </Stack>
  );
}

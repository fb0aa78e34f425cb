import { Alert, Box, Button, Code, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messageOf } from '#console/api/api-error';
import { api, type Schemas } from '#console/api/client';
import { JsonView } from '#console/components/json-view';
import { NeedsScope } from '#console/components/needs-scope';
import { formatLatency } from '#console/formats/duration';
import { t } from '#console/texts';
import type { Tool } from './tool-form';

const { test: texts, fields } = t.tools;

type Result = Schemas['ToolTestResponse'];
type Headers = { name: string; value: string }[];

/** Calls the stored tool with arguments, and shows what was sent and what came back. */
export function ToolTest({ tool, isDirty }: { tool: Tool; isDirty: boolean }) {
  const [given, setGiven] = useState<Record<string, string>>({});
  const [result, setResult] = useState<Result | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await api.POST('/user/tools/{id}/test', {
        params: { path: { id: tool.id } },
        body: { arguments: argumentsOf(tool, given) },
      });
      setResult(data?.data ?? null);
    } catch (problem) {
      setError(messageOf(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Box component="section" aria-label={texts.title}>
      <Title order={2} mb="xs">
        {texts.title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.text}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Stack gap="xs">
          {isDirty && <Note color="yellow">{texts.notSaved}</Note>}
          {tool.schema.length === 0 && (
            <Text size="sm" c="dimmed">
              {texts.noArguments}
            </Text>
          )}
          {tool.schema.map((parameter) => (
            <Argument
              key={parameter.name}
              {...parameter}
              value={given[parameter.name] ?? ''}
              onChange={(value) => setGiven({ ...given, [parameter.name]: value })}
            />
          ))}
          <NeedsScope scope="write">
            {(refusal) => (
              <Button type="submit" loading={isBusy} w="fit-content" {...refusal}>
                {texts.submit}
              </Button>
            )}
          </NeedsScope>
        </Stack>
      </form>
      <Stack gap="sm" mt="md" aria-live="polite">
        {error !== null && (
          <Note color="red" title={texts.failed}>
            {error}
          </Note>
        )}
        {result === null ? (
          <Text size="sm" c="dimmed">
            {texts.before}
          </Text>
        ) : (
          <Exchange result={result} />
        )}
      </Stack>
    </Box>
  );
}

function Argument({
  name,
  type,
  description,
  value,
  onChange,
}: Tool['schema'][number] & { value: string; onChange: (value: string) => void }) {
  if (type === 'boolean')
    return (
      <Select
        size="xs"
        label={name}
        description={description}
        data={[
          { value: 'true', label: fields.yes },
          { value: 'false', label: fields.no },
        ]}
        value={value === '' ? null : value}
        onChange={(next) => onChange(next ?? '')}
        clearable
      />
    );
  return (
    <TextInput
      size="xs"
      label={name}
      description={description}
      inputMode={type === 'number' ? 'decimal' : undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** What is left empty is not sent: the model may leave it out, too. */
function argumentsOf({ schema }: Tool, given: Record<string, string>): Record<string, unknown> {
  const values = schema.flatMap(({ name, type }): [string, unknown][] => {
    const text = given[name] ?? '';
    if (text === '') return [];
    if (type === 'boolean') return [[name, text === 'true']];
    return [[name, type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text]];
  });
  return Object.fromEntries(values);
}

function Exchange({ result: { request, response, duration_ms, error } }: { result: Result }) {
  const took = texts.took(formatLatency(duration_ms));
  return (
    <>
      <Note color={error === null ? 'teal' : 'red'}>{error === null ? texts.ok : texts.error(error)}</Note>
      <Part
        title={texts.request}
        first={request && `${request.method} ${request.url}`}
        missing={texts.nothingSent}
      >
        {request && <Message headers={request.headers} body={request.body} name={texts.request} />}
      </Part>
      <Part
        title={`${texts.response} ${took}`}
        first={response && String(response.status)}
        missing={texts.noResponse}
      >
        {response && <Message headers={response.headers} body={response.body} name={texts.response} />}
        {response?.truncated && (
          <Text size="sm" c="dimmed">
            {texts.truncated}
          </Text>
        )}
      </Part>
    </>
  );
}

interface PartProps {
  title: string;
  /** The first line; null: there is none. */
  first: string | null;
  missing: string;
  children: ReactNode;
}

function Part({ title, first, missing, children }: PartProps) {
  return (
    <div>
      <Text fw={600}>{title}</Text>
      {first === null ? (
        <Text size="sm" c="dimmed">
          {missing}
        </Text>
      ) : (
        <Stack gap={6}>
          <Code style={{ overflowWrap: 'anywhere' }}>{first}</Code>
          {children}
        </Stack>
      )}
    </div>
  );
}

function Message({ headers, body, name }: { headers: Headers; body: string | null; name: string }) {
  const lines = headers.map((header) => `${header.name}: ${header.value}`).join('\n');
  return (
    <>
      {lines !== '' && <JsonView value={lines} label={`${name}: ${texts.headers}`} />}
      {body === null || body === '' ? (
        <Text size="sm" c="dimmed">
          {texts.noBody}
        </Text>
      ) : (
        <JsonView value={body} label={`${name}: ${texts.body}`} />
      )}
    </>
  );
}

const Note = ({ color, title, children }: { color: string; title?: string; children: ReactNode }) => (
  <Alert color={color} title={title} py={8}>
    {children}
  </Alert>
);

import { Select, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { $api, api } from '#console/api/client';
import { ApiForm } from '#console/components/api-form';
import { ErrorNote } from '#console/components/error-note';
import { LinkAnchor } from '#console/components/links';
import { notifyDone } from '#console/components/notify';
import { PageHeader } from '#console/components/page-header';
import { formatPhone } from '#console/formats/numbers';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { countSegments, MOST_UNITS } from './segments';

const ABOVE = [
  <LinkAnchor key="messages" to="/messages" size="sm">
    {t.messages.title}
  </LinkAnchor>,
];
const NEW = { from: null as string | null, to: '', body: '' };
const texts = t.messages.form;

export function NewMessagePage() {
  const { data: numbers, error, refetch } = $api.useQuery('get', '/user/phone-numbers');
  return (
    <>
      <PageHeader title={t.messages.send} above={ABOVE} />
      {error && !numbers ? (
        <ErrorNote error={error} retry={refetch} />
      ) : numbers?.length === 0 ? (
        <Text>
          {texts.noNumbers}{' '}
          <LinkAnchor to="/numbers/buy" underline="always">
            {texts.buy}
          </LinkAnchor>
        </Text>
      ) : numbers ? (
        <MessageForm numbers={numbers} />
      ) : (
        // Not the form: what is typed before its sender is known would be lost.
        <Skeleton maw={520} h={240} />
      )}
    </>
  );
}

function MessageForm({
  numbers,
}: {
  numbers: { id: number; phone_number: string; nickname: string | null }[];
}) {
  const { can } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const save = (_changed: object, { from, to, body }: typeof NEW): Promise<unknown> =>
    api.POST('/user/sms', { body: { from: Number(from), to, body } });
  return (
    <Stack maw={520}>
      <ApiForm
        isNew
        initialValues={{ ...NEW, from: numbers[0] ? String(numbers[0].id) : null }}
        save={save}
        submit={texts.submit}
        forbidden={can('messages') ? null : t.needsScope('messages')}
        onSaved={(answer) => {
          const isPending = (answer as { data: { data: { status: string } } }).data.data.status === 'pending';
          notifyDone(isPending ? texts.pending : texts.sent);
          void client.invalidateQueries();
          void navigate({ to: '/messages' });
        }}
      >
        {(form) => (
          <Stack>
            <Select
              label={texts.from}
              allowDeselect={false}
              data={numbers.map(({ id, phone_number, nickname }) => ({
                value: String(id),
                label: [formatPhone(phone_number), nickname].filter(Boolean).join(' · '),
              }))}
              {...form.getInputProps('from')}
            />
            <TextInput
              data-autofocus
              required
              type="tel"
              label={texts.to}
              description={texts.toHelp}
              placeholder="+1 500 555 0006"
              {...form.getInputProps('to')}
            />
            <div>
              <Textarea
                required
                autosize
                minRows={4}
                label={texts.body}
                maxLength={MOST_UNITS}
                {...form.getInputProps('body')}
              />
              <Count to={form.values.to} body={form.values.body} />
            </div>
          </Stack>
        )}
      </ApiForm>
    </Stack>
  );
}

const TYPING_MS = 300;
const SHORTEST = 5;
const STALE_MS = 300_000;

/** Of one segment to the recipient; undefined: it is not known yet. */
function usePrice(recipient: string): number | undefined {
  const [to] = useDebouncedValue(recipient.trim(), TYPING_MS);
  const { data } = $api.useQuery(
    'get',
    '/user/sms/price',
    { params: { query: { to } } },
    { enabled: to.length >= SHORTEST, staleTime: STALE_MS },
  );
  // Of what is no number yet, the price is that of countries without one of their own.
  return data && data.data.country !== null ? data.data.segment_price : undefined;
}

/** The length of the message, and what it costs. */
function Count({ to, body }: { to: string; body: string }) {
  const { money } = useSession();
  const price = usePrice(to);
  const { encoding, segments } = countSegments(body);
  const left = MOST_UNITS - body.length;
  const sentences = [
    price === undefined
      ? texts.segments(segments)
      : `${texts.segments(segments)}, ${texts.price(segments, money(price), money(segments * price))}`,
    left > 0 ? texts.room(left) : texts.full,
  ];
  return (
    <Text size="sm" c="dimmed" mt={4} mih={40} role="status">
      {sentences.join(' · ')}
      {encoding === 'ucs-2' && `. ${texts.foreign}`}
    </Text>
  );
}

import { Code, Group, Modal, Stack } from '@mantine/core';
import { CopyIcon } from '#console/components/copy-icon';
import { Facts, Section, type Fact } from '#console/components/facts';
import { JsonView } from '#console/components/json-view';
import { LinkAnchor } from '#console/components/links';
import { parseTime } from '#console/formats/time';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { actionOf, actorOf, Resource, type Entry } from './audit-words';

const { entry: texts } = t.auditLog;

/** Everything that an entry tells. */
export default function EntryDialog({ entry, close }: { entry: Entry; close: () => void }) {
  const hasDetails = Object.keys(entry.details).length > 0;
  return (
    <Modal opened onClose={close} size="lg" title={texts.title(entry.id, actionOf(entry))}>
      <Stack>
        <EntryFacts entry={entry} />
        {hasDetails && (
          <Section title={texts.details} text={texts.detailsHelp}>
            <JsonView value={entry.details} label={texts.details} />
          </Section>
        )}
      </Stack>
    </Modal>
  );
}

function EntryFacts({ entry }: { entry: Entry }) {
  const { times } = useSession();
  const { actor, resource } = entry;
  const filter = (search: Record<string, string>, text: string) => (
    <LinkAnchor to="/audit-log" search={search} fz="sm">
      {text}
    </LinkAnchor>
  );
  const rows: Fact[] = [
    [texts.when, `${times.dateTime(parseTime(entry.created_at))} ${times.zone}`],
    [texts.who, actor.id === null ? actorOf(entry) : filter({ key_id: String(actor.id) }, actorOf(entry))],
    [texts.address, entry.address ?? '–'],
    [texts.what, <Code key="what">{entry.action}</Code>],
    [texts.resource, <Resource key="resource" entry={entry} />],
    ...(resource.id === null
      ? []
      : [
          [
            texts.history,
            filter({ resource_type: resource.type, resource_id: resource.id }, texts.historyOf),
          ] as Fact,
        ]),
    [
      texts.fields,
      entry.fields.length === 0 ? (
        '–'
      ) : (
        <Group key="fields" gap={4}>
          {entry.fields.map((field) => (
            <Code key={field}>{field}</Code>
          ))}
        </Group>
      ),
    ],
    [texts.request, entry.request_id ?? '–'],
    [
      texts.hash,
      <Group key="hash" gap={4} wrap="nowrap">
        <span>{entry.hash}</span>
        <CopyIcon value={entry.hash} label={texts.copyHash} />
      </Group>,
    ],
  ];
  return <Facts rows={rows} />;
}

import { Group, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { $api } from '#console/api/client';
import { LinkAnchor, LinkButton } from '#console/components/links';
import { ListPage } from '#console/components/list-page';
import { Moment } from '#console/components/moment';
import { FilterSelect, optionsOf } from '#console/components/search-filters';
import { StatusBadge } from '#console/components/status-badge';
import { useSession } from '#console/session/session';
import { t } from '#console/texts';
import { nameOf, useCatalogue, useGroups } from './use-catalogue';

const texts = t.assistants;

export function AssistantsPage() {
  const { type, folder_id, label_id, page, per_page = 15 } = useSearch({ from: '/shell/assistants' });
  const { can } = useSession();
  const { languages, models, voices } = useCatalogue();
  const { folders, labels } = useGroups();
  const filters = {
    ...(type && { type: type as 'inbound' | 'outbound' }),
    ...(folder_id && { folder_id: Number(folder_id) }),
    ...(label_id && { label_id: Number(label_id) }),
  };
  const query = $api.useQuery(
    'get',
    '/user/assistants/get',
    { params: { query: { ...filters, page, per_page } } },
    { placeholderData: keepPreviousData },
  );
  const choices = (groups: { id: number; name: string }[] | undefined) =>
    (groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const createButton = can('write') && (
    <LinkButton to="/assistants/new" size="xs">
      {texts.create}
    </LinkButton>
  );
  return (
    <ListPage
      title={texts.title}
      actions={createButton}
      query={query}
      rowKey={({ id }) => id}
      hasFilters={Object.keys(filters).length > 0}
      filters={
        <>
          <FilterSelect name="type" label={texts.labels.type} data={optionsOf(texts.options.type)} />
          {(folders?.length ?? 0) > 0 && (
            <FilterSelect name="folder_id" label={texts.labels.folder_id} data={choices(folders)} />
          )}
          {(labels?.length ?? 0) > 0 && (
            <FilterSelect name="label_id" label={texts.label} data={choices(labels)} />
          )}
        </>
      }
      columns={[
        {
          key: 'name',
          header: texts.labels.name,
          cell: ({ id, name }) => (
            <LinkAnchor
              className="row-link"
              to="/assistants/$id"
              params={{ id: String(id) }}
              c="inherit"
              fz="sm"
            >
              {name}
            </LinkAnchor>
          ),
        },
        {
          key: 'status',
          header: texts.labels.status,
          cell: ({ status }) => (
            <StatusBadge tone={status === 'active' ? 'good' : 'neutral'}>{texts.states[status]}</StatusBadge>
          ),
        },
        {
          key: 'type',
          header: texts.labels.type,
          isSecondary: true,
          cell: ({ type: kind }) => t.calls.types[kind],
        },
        {
          key: 'language',
          header: texts.labels.language_id,
          isSecondary: true,
          cell: ({ language_id }) => nameOf(languages, language_id),
        },
        {
          key: 'voice',
          header: texts.labels.voice_id,
          isSecondary: true,
          cell: ({ voice_id }) => nameOf(voices, voice_id),
        },
        {
          key: 'model',
          header: texts.labels.llm_model_id,
          isSecondary: true,
          cell: ({ llm_model_id }) => nameOf(models, llm_model_id),
        },
        {
          key: 'groups',
          header: texts.groupsOfList,
          isSecondary: true,
          cell: ({ folder_id: folder, label_ids }) => (
            <Group gap={6}>
              {[
                ...(folder === null ? [] : [nameOf(folders, folder)]),
                ...label_ids.map((label) => nameOf(labels, label)),
              ].map((name) => (
                <Text key={name} size="sm" c="dimmed">
                  {name}
                </Text>
              ))}
            </Group>
          ),
        },
        {
          key: 'updated',
          header: texts.updated,
          isSecondary: true,
          cell: ({ updated_at }) => <Moment at={updated_at} />,
        },
      ]}
      empty={{ ...texts.empty, action: createButton || t.needsScope('write') }}
    />
  );
}

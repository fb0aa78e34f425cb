import { Modal, NumberInput, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { api, type Schemas } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { ApiForm } from '#console/components/api-form';
import { notifyDone } from '#console/components/notify';
import { t } from '#console/texts';
import {
  DEFAULT_WEBSITE_PAGES,
  MAX_WEBSITE_LINKS,
} from '../../../../src/modules/knowledge/knowledge.types.js';

const texts = t.knowledge.website;

const NEW = {
  url: '',
  links: [] as string[],
  relative_links_limit: DEFAULT_WEBSITE_PAGES as number | null,
  name: '',
};
type WebsiteValues = typeof NEW;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** Of a website without a name. */
const nameOf = ({ url, links }: WebsiteValues): string =>
  [url, ...links].map(hostOf).find((host) => host !== '') ?? texts.unnamed;

function requestOf(values: WebsiteValues): Schemas['CreateDocumentDto'] {
  const { url, links, relative_links_limit: limit, name } = values;
  return {
    type: 'website',
    name: name.trim() || nameOf(values),
    ...(url !== '' && { url }),
    links: links.map((link) => ({ link })),
    ...(limit !== null && { relative_links_limit: limit }),
  };
}

export function AddWebsite({ baseId, close }: { baseId: number; close: () => void }) {
  const save = async (_: object, values: WebsiteValues) => {
    const params = { path: { knowledgebaseId: baseId } };
    const body = requestOf(values);
    return (await api.POST('/user/knowledgebases/{knowledgebaseId}/documents', { params, body })).data?.data;
  };
  return (
    <Modal opened onClose={close} title={texts.title} size="lg">
      <ApiForm<WebsiteValues>
        isNew
        initialValues={NEW}
        save={save}
        submit={texts.submit}
        onSaved={(document) => {
          notifyDone(texts.added((document as Schemas['DocumentResponse']).name));
          void queryClient.invalidateQueries();
          close();
        }}
      >
        {(form) => {
          const values = form.getValues();
          const { links, relative_links_limit: limit } = values;
          const ofLinks = Object.entries(form.errors)
            .filter(([field]) => field.startsWith('links'))
            .map(([, error]) => error)
            .join(' ');
          // Without any address, that of the first field is missing.
          const urlError = form.errors['url'] ?? (links.length === 0 && ofLinks);
          return (
            <Stack>
              <Text size="sm">{texts.text}</Text>
              <TextInput
                data-autofocus
                {...form.getInputProps('url')}
                error={urlError}
                label={texts.url}
                type="url"
                withAsterisk
                placeholder="https://example.com/help"
                maxLength={2048}
              />
              <NumberInput
                label={texts.limit}
                description={texts.limitHelp}
                value={limit ?? ''}
                onChange={(next) =>
                  form.setFieldValue('relative_links_limit', next === '' ? null : Number(next))
                }
                error={form.errors['relative_links_limit']}
                min={1}
                max={MAX_WEBSITE_LINKS}
                clampBehavior="none"
                allowDecimal={false}
                maw={200}
              />
              <TagsInput
                label={texts.links}
                description={texts.linksHelp}
                value={links}
                onChange={(next) => form.setFieldValue('links', next)}
                error={links.length > 0 && ofLinks}
                maxTags={MAX_WEBSITE_LINKS}
                acceptValueOnBlur
              />
              <TextInput
                {...form.getInputProps('name')}
                label={texts.name}
                description={texts.nameHelp}
                placeholder={nameOf(values)}
                maxLength={255}
              />
            </Stack>
          );
        }}
      </ApiForm>
    </Modal>
  );
}

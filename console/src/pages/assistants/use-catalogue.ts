import { $api } from '#console/api/client';

const STALE_MS = 300_000;
const MOST_GROUPS = 100;

/** Voices, languages and models: what assistants are made of. */
export function useCatalogue() {
  const options = { staleTime: STALE_MS };
  const { data: languages } = $api.useQuery('get', '/user/assistants/languages', {}, options);
  const { data: voices } = $api.useQuery('get', '/user/assistants/voices', {}, options);
  const { data: textModels } = $api.useQuery('get', '/user/assistants/models', {}, options);
  const multimodal = { params: { query: { type: 'multimodal' as const } } };
  const { data: voiceModels } = $api.useQuery('get', '/user/assistants/models', multimodal, options);
  const models = textModels && voiceModels && [...textModels, ...voiceModels];
  return { languages, voices, textModels, voiceModels, models };
}

/** Folders and labels; an account has at most 100 of each. */
export function useGroups() {
  const query = { params: { query: { per_page: MOST_GROUPS } } };
  return {
    folders: $api.useQuery('get', '/user/folders', query).data?.data,
    labels: $api.useQuery('get', '/user/labels', query).data?.data,
  };
}

/** Knowledge bases: all of the account. */
export const useBases = (): { id: number; name: string }[] | undefined =>
  $api.useQuery('get', '/user/knowledgebases').data?.data;

/** A number where it is not known yet, or not any more. */
export const nameOf = (of: { id: number; name: string }[] | undefined, id: number): string =>
  of === undefined ? '' : (of.find((one) => one.id === id)?.name ?? String(id));

import type { Catalog } from '../catalog/catalog.js';
import type { ModelWarning } from '../catalog/catalog.types.js';
import type { ModelEndpoint } from '../llm/language-model.js';
import { fetchModelList, type ListedModels } from '../llm/listed-models.js';

/** Days before the end of a model from which on it is warned of. */
const WARNING_DAYS = 60;
const DAY_MS = 86_400_000;

/** A language model or a speech provider, and its warning; null: none. */
export interface WatchedModel {
  kind: 'models' | 'providers';
  id: number;
  name: string;
  /** At its endpoint. */
  code: string;
  warning: ModelWarning | null;
  retiresOn: string | null;
  replacedBy: string | null;
}

export interface WatchedEndpoints {
  model: ModelEndpoint & { endpoints: Readonly<Record<string, ModelEndpoint>> };
  speech: { endpoints: Readonly<Record<string, ModelEndpoint>> };
}

type WatchedRow = Pick<WatchedModel, 'kind' | 'id' | 'name' | 'code' | 'retiresOn' | 'replacedBy'> & {
  /** Null: it has no list of models. */
  endpoint: ModelEndpoint | null;
};

/**
 * Requests the list of models of each endpoint once.
 *
 * @param endpoints null: no requests, dates alone count
 */
export async function findWatchedModels(
  catalog: Catalog,
  endpoints: WatchedEndpoints | null,
): Promise<WatchedModel[]> {
  const rows = rowsOf(catalog, endpoints);
  const lists = new Map<string, Promise<ListedModels | null>>();
  const listOf = (endpoint: ModelEndpoint): Promise<ListedModels | null> => {
    const known = lists.get(endpoint.baseUrl) ?? fetchModelList(endpoint);
    lists.set(endpoint.baseUrl, known);
    return known;
  };
  return Promise.all(
    rows.map(async ({ endpoint, ...row }) => {
      const listed = endpoint && (await listOf(endpoint));
      const retiresOn = listed?.get(row.code) ?? row.retiresOn;
      return { ...row, retiresOn, warning: warningOf(retiresOn, listed !== null && !listed.has(row.code)) };
    }),
  );
}

function warningOf(retiresOn: string | null, isMissing: boolean): ModelWarning | null {
  const days = retiresOn === null ? Infinity : (Date.parse(retiresOn) - Date.now()) / DAY_MS;
  if (days <= 0) return 'retired';
  if (isMissing) return 'missing';
  return days <= WARNING_DAYS ? 'retiring' : null;
}

function rowsOf({ models, speechProviders }: Catalog, endpoints: WatchedEndpoints | null): WatchedRow[] {
  const nameOf = (rows: readonly { id: number; name: string }[], id: number | null): string | null =>
    rows.find((row) => row.id === id)?.name ?? null;
  const own = (all: Readonly<Record<string, ModelEndpoint>>, name: string): ModelEndpoint | null =>
    (Object.hasOwn(all, name) ? all[name] : null) ?? null;
  const base = ({ id, name, retiresOn }: Pick<WatchedRow, 'id' | 'name' | 'retiresOn'>) => ({
    id,
    name,
    retiresOn,
  });
  return [
    ...models.map((model): WatchedRow => {
      const named =
        endpoints && model.endpoint !== null ? own(endpoints.model.endpoints, model.endpoint) : null;
      return {
        ...base(model),
        kind: 'models',
        code: model.code ?? model.name,
        replacedBy: nameOf(models, model.replacedById),
        endpoint: named ?? endpoints?.model ?? null,
      };
    }),
    ...speechProviders.map((provider): WatchedRow => {
      const { code, endpoint, adapter, replacedById } = provider;
      const at =
        endpoint === null ? endpoints?.model : endpoints && own(endpoints.speech.endpoints, endpoint);
      return {
        ...base(provider),
        kind: 'providers',
        code,
        replacedBy: nameOf(speechProviders, replacedById),
        endpoint: adapter === 'openai' ? (at ?? null) : null,
      };
    }),
  ];
}

/** `gpt-4.1-mini retires on 2027-01-14; gpt-6-luna takes its place` */
export function describeWarning({ name, warning, retiresOn, replacedBy }: WatchedModel): string {
  const what =
    warning === 'missing'
      ? 'is not offered by its endpoint'
      : warning === 'retired'
        ? `has retired on ${retiresOn}`
        : `retires on ${retiresOn}`;
  const successor = warning === 'missing' ? null : replacedBy;
  return `${name} ${what}${successor === null ? '' : `; ${successor} takes its place`}`;
}

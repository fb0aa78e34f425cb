import { Client, type Answer } from '../../../test/support/client.js';
import { openApi, resolve, type Schema } from '../../../test/support/contract.js';
import type { AccountResources } from '../../../test/support/route.types.js';
import { oneOf } from '../fuzz/odd-values.js';
import type { Endpoint } from '../support/api-surface.js';
import type { Random } from '../support/random.js';
import { asClientsWrite, NO_NUMBERS, writtenNumber } from './habits.js';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kinds.js';
import { contentOf, withPart, type ClientObservation } from './verify-clients.js';

type Fields = Record<string, unknown>;
type Numbered = { phone_number: string };

/** An empty `page` is no number. */
const PAGING = new Set(['page', 'per_page']);

/**
 * One client with its own account; its requests are sequential. Responses are validated against the OpenAPI document.
 */
export class HabitualClient {
  requests = 0;

  constructor(
    private readonly resources: AccountResources,
    private readonly random: Random,
    private readonly observe: (observation: ClientObservation, request: string) => void,
  ) {}

  /** @param routes some of which are requested with empty fields */
  async act(routes: readonly Endpoint[]): Promise<void> {
    const kind = this.random();
    if (kind < 0.5) await this.liveWith(oneOf(this.random, RESOURCE_KINDS));
    else if (kind < 0.65) await this.callNumbers();
    else if (kind < 0.75) await this.filter();
    else if (kind < 0.8) await this.talk();
    else await this.sweep(oneOf(this.random, routes));
  }

  /** Two of the same content, one as documented and one in a client's form; read, written back, deleted. */
  private async liveWith(kind: ResourceKind): Promise<void> {
    const { random, resources } = this;
    const body = kind.body(random, resources);
    const habit = asClientsWrite(body, await optionalFields(kind.create, 'post'), random);
    const [plain, other] = [
      await this.send('POST', kind.create, body),
      await this.send('POST', kind.create, habit),
    ];
    const what = `POST ${kind.create}`;
    if (plain.status >= 300 || other.status >= 300) {
      return this.observe({ what, status: other.status, wanted: plain.status }, JSON.stringify(habit));
    }
    const paths = [plain, other].map(({ body: { data } }) => `${kind.one}/${String((data as Fields).id)}`);
    const [first = '', second = ''] = paths;
    await this.compare(what, kind, paths, other.status, plain.status, habit);
    await this.writeBack(kind, second);
    const change = without(kind.body(random, resources), kind.own);
    const rewritten = asClientsWrite(change, [], random);
    const updates = [await this.send('PUT', first, change), await this.send('PUT', second, rewritten)];
    await this.compare(`PUT ${kind.one}`, kind, paths, updates[1]?.status, updates[0]?.status, rewritten);
    for (const path of paths) {
      const { status } = await this.send('DELETE', path);
      this.observe({ what: `DELETE ${kind.one}`, status, wanted: 200 }, path);
    }
  }

  private async compare(
    what: string,
    { own }: ResourceKind,
    [first = '', second = '']: string[],
    status = 0,
    wanted = 0,
    request: Fields,
  ): Promise<void> {
    const [expected, shown] = [await this.read(first), await this.read(second)];
    const seen = { what, status, wanted, shown: contentOf(shown, own), expected: contentOf(expected, own) };
    this.observe(seen, JSON.stringify(request));
  }

  private async writeBack(kind: ResourceKind, path: string): Promise<void> {
    const before = await this.read(path);
    const { status } = await this.send('PUT', path, before);
    const what = `PUT ${kind.one} as GET gave it`;
    this.observe(
      { what, status, wanted: 200, shown: await this.read(path), expected: before },
      JSON.stringify(before),
    );
  }

  /** National, formatted and impossible numbers. */
  private async callNumbers(): Promise<void> {
    const { random, resources } = this;
    const { written, e164 } = writtenNumber(random);
    const shown = async (path: string, body: Fields): Promise<void> => {
      const { status, body: answer } = await this.send('POST', path, { ...body, phone_number: written });
      const number = (answer.data as Numbered | undefined)?.phone_number;
      this.observe({ what: `POST ${path}`, status, wanted: 200, shown: number, expected: e164 }, written);
    };
    await shown('/user/suppressions', { reason: '' });
    await shown(oneOf(random, ['/user/lead', '/user/leads']), {
      campaign_id: String(resources.ids.campaign),
      allow_dupplicate: '1',
    });
    const phone_number = oneOf(random, NO_NUMBERS);
    for (const [path, body, wanted] of [
      ['/user/suppressions', {}, 422],
      ['/user/lead', { campaign_id: resources.ids.campaign }, 422],
      ['/user/make_call', { assistant_id: resources.ids.assistant }, 400],
    ] as const) {
      const { status } = await this.send('POST', path, { ...body, phone_number });
      this.observe({ what: `POST ${path} without a number`, status, wanted }, phone_number);
    }
  }

  /** Two conversations from a server, one as documented: they have the same representation, in the list too. */
  private async talk(): Promise<void> {
    const { random, resources } = this;
    const { uuids, ids } = resources;
    const variables = { name: 'Ada', order: Math.floor(random() * 9) };
    const plain = { assistant_id: uuids.assistant, type: 'widget', variables };
    const habit = {
      assistant_id: oneOf(random, [ids.assistant, String(ids.assistant), uuids.assistant.toUpperCase()]),
      variables: [{ name: 'replaced' }, variables],
      ...oneOf(random, [{}, { type: '' }, { type: null }, { type: 'widget' }]),
    };
    const seen = [];
    for (const body of [plain, habit]) {
      const begun = await this.send('POST', '/conversations', body);
      const id = String(begun.body['conversation_id']);
      const { body: shown } = await this.send('GET', `/conversations/${id}`);
      const rows = (await this.list('/user/conversations?type=widget&per_page=100')).body['data'] as Fields[];
      const { id: _, ...row } = rows.find((one) => one['id'] === id) ?? {};
      seen.push({ status: begun.status, content: contentOf({ shown, row }) });
    }
    const [expected, other] = seen;
    this.observe(
      {
        what: 'POST /conversations',
        status: other?.status ?? 0,
        wanted: expected?.status ?? 0,
        shown: other?.content,
        expected: expected?.content,
      },
      JSON.stringify(habit),
    );
  }

  private async filter(): Promise<void> {
    const part = oneOf(this.random, ['555', '+1', '0', '2015', '99', '+44', '(415)']);
    const digits = part.replace(/[()]/g, '');
    for (const list of ['/user/suppressions', '/user/leads']) {
      const all = (await this.list(list)).body as unknown as Numbered[];
      const query = `phone_number=${encodeURIComponent(part)}&status=&campaign_id=&date_from=`;
      const found = await this.list(`${list}?${query}`);
      const seen = { shown: found.body, expected: withPart(all, digits) };
      this.observe(
        { what: `GET ${list} by a part of a number`, status: found.status, wanted: 200, ...seen },
        part,
      );
    }
  }

  /** A route with all of its optional fields or parameters empty responds as without them. */
  private async sweep(route: Endpoint): Promise<void> {
    if (!route.documented || route.takesForm || route.method === 'DELETE') return;
    const path = route.path.replace('/api', '').replaceAll(/\{\w+\}/g, String(route.id(this.resources)));
    if (route.method === 'GET') {
      const empty = route.query.filter((name) => !PAGING.has(name)).map((name) => `${name}=`);
      const [plain, other] = [await this.list(path), await this.list(`${path}?${empty.join('&')}`)];
      return this.observe(
        { what: `${route.name} with empty parameters`, status: other.status, wanted: plain.status },
        path,
      );
    }
    const body = route.body(this.resources);
    const optional = await optionalFields(route.path.replace('/api', ''), route.method.toLowerCase());
    const given = Object.fromEntries(optional.filter((name) => !(name in body)).map((name) => [name, '']));
    const { status, body: answer } = await this.send(route.method, path, { ...body, ...given });
    // A rule may refuse a value of the body, not the emptiness of its other fields.
    const refused = Object.keys((answer.errors as Fields | undefined) ?? {}).filter((name) => name in given);
    const what = `${route.name} with empty fields`;
    this.observe({ what, status, wanted: status, shown: refused, expected: [] }, JSON.stringify(given));
  }

  private async read(path: string): Promise<Fields> {
    const { body } = await this.send('GET', path);
    return (body.data as Fields | undefined) ?? body;
  }

  private list(path: string): Promise<Answer<Fields>> {
    return this.send('GET', path);
  }

  private send(method: string, path: string, body?: Fields): Promise<Answer<Fields>> {
    this.requests++;
    const { client }: { client: Client } = this.resources.account;
    return client.send<Fields>(method, path, body && JSON.stringify(body));
  }
}

const without = (body: Fields, fields: readonly string[] = []): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)));

/** Optional fields of an operation's body, by the OpenAPI document. */
async function optionalFields(path: string, method: string): Promise<string[]> {
  const document = await openApi();
  const schema = document.paths[`/api${path}`]?.[method]?.requestBody?.content['application/json']?.schema;
  const { properties = {}, required = [] } = (
    typeof schema?.$ref === 'string' ? resolve(schema.$ref, document) : (schema ?? {})
  ) as { properties?: Record<string, Schema>; required?: string[] };
  return Object.keys(properties).filter((name) => !required.includes(name));
}

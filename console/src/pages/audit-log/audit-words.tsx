import type { Schemas } from '#console/api/client';
import { LinkAnchor } from '#console/components/links';
import { t } from '#console/texts';

export type Entry = Schemas['AuditEntryResponse'];

/** The pages of resources, by their type. Documents have none without their base. */
const PLACES: Record<string, string> = {
  assistant: '/assistants',
  call: '/calls',
  campaign: '/campaigns',
  conversation: '/conversations',
  delivery: '/webhooks',
  knowledgebase: '/knowledge',
  lead: '/leads',
  tool: '/tools',
};

export const actionOf = ({ action }: Entry): string => t.auditLog.actions[action] ?? action;

/** `Key CRM (7)`, `Operator ada`. */
export function actorOf({ actor: { type, id, name } }: Entry): string {
  const { actors, key } = t.auditLog;
  if (type === 'key' && id !== null) return key(name ?? '', id);
  const word = actors[type] ?? type;
  return name === null ? word : `${word} ${name}`;
}

/** What it was done to, with a link where it has a page. */
export function Resource({ entry: { resource, details } }: { entry: Entry }) {
  const { resources, several } = t.auditLog;
  const word = resources[resource.type] ?? resource.type;
  const ids = details['ids'];
  if (resource.id === null) return Array.isArray(ids) ? several(word, ids.length) : word;
  const text = `${word} ${resource.id}`;
  const place = PLACES[resource.type];
  if (place === undefined) return text;
  return (
    <LinkAnchor className="above-link" to={`${place}/${resource.id}` as '/calls'} fz="sm">
      {text}
    </LinkAnchor>
  );
}

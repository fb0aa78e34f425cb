/** The rules of a robots.txt (RFC 9309) for one reader. */
export interface RobotsRules {
  /** @param path with its query */
  permits(path: string): boolean;
}

export const ALL_PERMITTED: RobotsRules = { permits: () => true };

/** Further rules are not read: each costs a comparison per page. */
const MAX_RULES = 2_000;

interface Rule {
  permits: boolean;
  pattern: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
}

/**
 * The group that names the reader, else the one for all. The longest pattern decides, of equal ones the permission.
 *
 * @param agent the product token of the reader, in lower case
 */
export function parseRobots(text: string, agent: string): RobotsRules {
  const groups = groupsOf(text);
  const named = groups.filter(({ agents }) => agents.includes(agent));
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const rules = own.flatMap((group) => group.rules).slice(0, MAX_RULES);
  rules.sort(
    (one, other) => other.pattern.length - one.pattern.length || Number(other.permits) - Number(one.permits),
  );
  return { permits: (path) => rules.find(({ pattern }) => matches(pattern, path))?.permits ?? true };
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let isNaming = false;
  for (const line of text.split(/[\r\n]+/)) {
    const [key = '', ...rest] = line.split('#', 1).join('').split(':');
    const name = key.trim().toLowerCase();
    const value = rest.join(':').trim();
    if (name === 'user-agent') {
      const agent = value.toLowerCase().split('/', 1).join('');
      if (isNaming) groups.at(-1)?.agents.push(agent);
      else groups.push({ agents: [agent], rules: [] });
      isNaming = true;
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false;
      if (value !== '') groups.at(-1)?.rules.push({ permits: name === 'allow', pattern: value });
    }
  }
  return groups;
}

/** `*` is any text, `$` at the end is the end of the path. Parts are searched in turn: no pattern takes long. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [start = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(start)) return false;
  let position = start.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = isWhole && isLast ? path.length - part.length : path.indexOf(part, position);
    if (found < position || !path.startsWith(part, found)) return false;
    position = found + part.length;
  }
  return !isWhole || position === path.length;
}

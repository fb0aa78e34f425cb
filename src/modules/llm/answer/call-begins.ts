/** Names that stand in front of a list of calls. */
const LISTS = ['functools'];
/** Characters of a name and of what stands around it. */
const MAX_HEAD = 400;
/** Bounded: of more blanks a search would take quadratic time. */
const BLANK = '\\s{0,20}';
const PREFIX = `(?:>{1,3}${BLANK}|(?:commentary\\s{1,20})?to=|call:)?`;
const SPACES = '(?:functions\\.|default_api\\.)?';
const PREFIXES = ['commentary', 'to=', 'call:', 'functions.', 'default_api.'];

/** What a place in a text begins: `name(…)`, `name {…}`, or a name in front of a list of calls. */
export type CallBegin = { at: number; form: 'code' | 'named' | 'list'; length: number; name: string };

/** Where models write calls without marks: as code, or as the name of a tool and then JSON. */
export class CallBegins {
  private readonly begins: RegExp | null;
  private readonly goesOn: RegExp | null;
  private readonly names: readonly string[];

  constructor(tools: ReadonlySet<string>) {
    this.names = [...tools].map((name) => name.replace(/[^\w-]/g, '')).filter((name) => name !== '');
    const any = this.names.join('|');
    const head = `(?<![\\w-])${PREFIX}${SPACES}(${any})(?::\\d+)?`;
    this.begins = any
      ? new RegExp(
          `(?<code>\\[?${BLANK}(?<![\\w-])${SPACES}(?:${any})\\()` +
            `|(?<named>${head}${BLANK}(?:json\\b|[:=])?${BLANK})(?=\\{${BLANK}["}])` +
            `|(?<list>(?<![\\w-])(?:${LISTS.join('|')})${BLANK})(?=\\[)`,
        )
      : null;
    this.goesOn = any ? new RegExp(`${head}${BLANK}(?:json|jso|js|j|[:=])?${BLANK}\\{?${BLANK}$`) : null;
  }

  find(text: string): CallBegin | null {
    const found = this.begins?.exec(text);
    if (!found) return null;
    const { code, named } = found.groups ?? {};
    const form = code !== undefined ? 'code' : named !== undefined ? 'named' : 'list';
    return { at: found.index, form, length: found[0].length, name: found[3] ?? '' };
  }

  /** Characters at the end of a text that may begin a call when more has come. */
  heldAtEnd(text: string): number {
    if (!this.begins) return 0;
    const end = text.slice(-MAX_HEAD);
    const goesOn = this.goesOn?.exec(end) ?? /(?<![\w-])commentary\s{1,20}(?:t|to)?$/.exec(end);
    if (goesOn) return goesOn[0].length;
    const [tail = '', prefix = '', word = ''] = TAIL.exec(end) ?? [];
    const begun = word === '' ? prefix !== '' : this.isNameBegun(word);
    return begun ? tail.length : 0;
  }

  private isNameBegun(word: string): boolean {
    return [...this.names, ...LISTS, ...PREFIXES].some((name) => name.startsWith(word));
  }
}

const TAIL = new RegExp(`(?<![\\w-])(${PREFIX}${SPACES})([\\w-]*)$`);

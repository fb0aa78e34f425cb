/** Names that stand in front of a list of calls. */
const LISTS = ['functools'];
const PREFIX = '(?:>{1,3}\\s*|(?:commentary\\s+)?to=|call:)?';
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
          `(?<code>\\[?\\s*(?<![\\w-])${SPACES}(?:${any})\\()` +
            `|(?<named>${head}\\s*(?:json\\b|[:=])?\\s*)(?=\\{\\s*["}])` +
            `|(?<list>(?<![\\w-])(?:${LISTS.join('|')})\\s*)(?=\\[)`,
        )
      : null;
    this.goesOn = any ? new RegExp(`${head}\\s*(?:json|jso|js|j|[:=])?\\s*\\{?\\s*$`) : null;
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
    const goesOn = this.goesOn?.exec(text) ?? /(?<![\w-])commentary\s+(?:t|to)?$/.exec(text);
    if (goesOn) return goesOn[0].length;
    const [tail = '', prefix = '', word = ''] = TAIL.exec(text) ?? [];
    const begun = word === '' ? prefix !== '' : this.isNameBegun(word);
    return begun ? tail.length : 0;
  }

  private isNameBegun(word: string): boolean {
    return [...this.names, ...LISTS, ...PREFIXES].some((name) => name.startsWith(word));
  }
}

const TAIL = new RegExp(`(?<![\\w-])(${PREFIX}${SPACES})([\\w-]*)$`);

import { LABEL_PATTERN, incompleteLabelLength } from './labelled-calls.js';
import {
  incompleteActionLength,
  incompleteStepLength,
  actionPattern,
  actionLabelPattern,
  stepEndPattern,
} from './react-steps.js';
import { normalizeToolName, type OfferedTools } from './tool-names.js';

/** Names that stand in front of a list of calls. */
const LISTS = ['functools'];
/** Characters of a name with its prefix. */
const MAX_HEAD = 400;
/** Bounded: of more blanks a search would take quadratic time. */
const BLANK = '\\s{0,20}';
const PREFIX = `(?:>{1,3}${BLANK}|(?:commentary\\s{1,20})?to=|call:|function=["']?)?`;
const CODE_PREFIX = '(?:print\\(|await\\s{1,3})?';
/** Behind a name and a blank, only arguments that no prose has. */
const CODE = `(?:\\(|[ \\t]{1,3}\\((?=\\s{0,3}(?:[{"']|[A-Za-z_]\\w{0,60}\\s{0,3}=)))`;
const OBJECT = `(?=\\{${BLANK}(?:["'}]|[A-Za-z_]\\w{0,60}\\s{0,9}:))`;
const YAML_KEY = '[ \\t]{0,20}\\n[ \\t]{1,20}["\']?[A-Za-z_][\\w-]{0,60}["\']?:(?=\\s)';
const YAML_ARGUMENTS = '[ \\t]{0,20}\\n[ \\t]{0,20}(?:arguments|parameters|args|params|input)[ \\t]{0,9}:';
const YAML_NAME = '(?:name|tool|tool_name|function|function_name)[ \\t]{0,9}:[ \\t]{0,9}';
const SPACES = '(?:functions\\.|default_api\\.)?';
const PREFIXES = [
  'commentary',
  'to=',
  'call:',
  'function=',
  'print(',
  'await',
  'name:',
  'tool_name:',
  'function_name:',
  'functions.',
  'default_api.',
  'Action',
];

/** The start of a call in a text: `name(…)`, `name {…}`, `Action: name`, or a name or label in front of calls. */
export type CallStart = {
  at: number;
  form: 'code' | 'named' | 'yaml' | 'action' | 'list';
  length: number;
  /** Empty for an action that names no tool. */
  name: string;
};

/** Finds calls that models write without tags: as code, or as the name of a tool and then JSON. */
export class CallStartFinder {
  private readonly begins: RegExp | null;
  private readonly goesOn: RegExp | null;
  private readonly names: readonly string[];
  /** The end of a thought or an observation of ReAct. */
  readonly stepEndPattern: RegExp;

  constructor(private readonly tools: OfferedTools) {
    this.names = [...tools.keys()].map((name) => name.replace(/[^\w-]/g, '')).filter((name) => name !== '');
    const any = this.names.join('|');
    const known = `${SPACES}(?:${any})`;
    const head = `(?<![\\w-])${PREFIX}${SPACES}(?<name>${any})(?::\\d+)?`;
    this.begins = any
      ? new RegExp(
          `(?<code>\\[?${BLANK}(?<![\\w-])${CODE_PREFIX}(?<![\\w-])${SPACES}(?<called>${any})${CODE})` +
            `|(?<named>${head}${BLANK}(?:json\\b|\\[ARGS\\]|["']?[:=>])?${BLANK})${OBJECT}` +
            `|(?<yaml>(?<=^|\\n)[ \\t]{0,9}(?:(?<key>${any}):${YAML_KEY}|${YAML_NAME}["']?(?<value>${any})["']?${YAML_ARGUMENTS}))` +
            `|(?<list>(?<![\\w-])(?:${LISTS.join('|')})${BLANK})(?=\\[)` +
            `|(?<label>(?<![\\w-])${LABEL_PATTERN}${BLANK})(?=[[{]|${known}${BLANK}[({])` +
            `|(?<action>${actionPattern(known)})|${actionLabelPattern(known)}`,
        )
      : null;
    this.stepEndPattern = stepEndPattern(any ? known : '(?!)');
    this.goesOn = any
      ? new RegExp(
          `${head}${BLANK}(?:json|jso|js|j|\\[A?R?G?S?\\]?|["']?[:=>])?${BLANK}(?:[{(]?${BLANK}(?:[A-Za-z_]\\w{0,60}\\s{0,9}:?)?|["'][\\w-]{0,60}["']?)$` +
            `|${YAML_NAME}["']?(?:${any})["']?[ \\t]{0,20}(?:\\n[ \\t]{0,20}[a-z]{0,10}[ \\t]{0,9})?$`,
        )
      : null;
  }

  /** @param text ends with `END_OF_RESPONSE` if it is complete */
  findStart(text: string): CallStart | null {
    const found = this.begins?.exec(text);
    if (!found) return null;
    const { code, called, named, yaml, key, value, action, tool, alone } = found.groups ?? {};
    const at = { at: found.index, length: found[0].length };
    if (action !== undefined) {
      const name = normalizeToolName((tool ?? alone ?? '').replaceAll('*', ''), this.tools);
      return { ...at, form: 'action', name: this.tools.has(name) ? name : '' };
    }
    if (yaml !== undefined) return { ...at, form: 'yaml', name: key ?? value ?? '' };
    const form = code !== undefined ? 'code' : named !== undefined ? 'named' : 'list';
    return { ...at, form, name: called ?? found.groups?.['name'] ?? '' };
  }

  /**
   * Characters at the end of a text that may be an incomplete start of a call, or of a step of ReAct.
   *
   * @param before the text before it
   */
  incompleteLength(text: string, before: string): number {
    return Math.max(incompleteStepLength(text, before), this.incompleteCallLength(text));
  }

  incompleteCallLength(text: string): number {
    if (!this.begins) return 0;
    const end = text.slice(-MAX_HEAD);
    const label = incompleteActionLength(end) || incompleteLabelLength(end, (word) => this.isNameBegun(word));
    if (label > 0) return label;
    const goesOn = this.goesOn?.exec(end) ?? /(?<![\w-])commentary\s{1,20}(?:t|to)?$/.exec(end);
    const [tail = '', prefix = '', word = ''] = TAIL.exec(end) ?? [];
    const begun = word === '' ? prefix !== '' : this.isNameBegun(word);
    return Math.max(begun ? tail.length : 0, goesOn?.[0].length ?? 0);
  }

  private isNameBegun(word: string): boolean {
    return [...this.names, ...LISTS, ...PREFIXES].some((name) => name.startsWith(word));
  }
}

const TAIL = new RegExp(`(?<![\\w-])(${CODE_PREFIX}(?:${PREFIX}|${YAML_NAME}["']?)${SPACES})([\\w-]*)$`);

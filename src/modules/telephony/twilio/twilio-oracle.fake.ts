import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchema } from 'ajv';

export interface SentRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
}

interface Operation {
  parameters: { name: string; in: string; schema: AnySchema & Schema }[];
  requestBody?: { content: Record<string, { schema: AnySchema & Schema }> };
}

type Paths = Record<string, Record<string, Operation>>;

const FILE = join(
  process.env.ORACLES_DIR ?? join(process.cwd(), '../shared/oracles'),
  'twilio-api-v2010-subset.json',
);

/** The carrier's published OpenAPI description; null where this checkout has no copy of it. */
export class TwilioOracle {
  private readonly ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });

  private constructor(
    private readonly paths: Paths,
    private readonly components: object,
  ) {}

  static load(): TwilioOracle | null {
    if (existsSync(FILE)) {
      const { paths, components } = JSON.parse(readFileSync(FILE, 'utf8'));
      return new TwilioOracle(paths, components);
    }
    process.stderr.write(
      `Left out: ${FILE} is missing, so requests are not compared with the published API.\n`,
    );
    return null;
  }

  /** The faults of a request; empty when it is valid. */
  faults(request: SentRequest): string[] {
    const operation = this.operation(request);
    if (!operation) return [`no such operation: ${request.method} ${request.path}`];
    const query: Schema = { type: 'object', properties: {} };
    for (const { name, in: place, schema } of operation.parameters) {
      if (place === 'query') Object.assign(query.properties ?? {}, { [name]: schema });
    }
    const body = operation.requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {
      properties: {},
    };
    return [...this.check(query, request.query), ...this.check(body, request.form)];
  }

  private operation({ method, path }: SentRequest): Operation | undefined {
    const template = Object.keys(this.paths).find((known) =>
      new RegExp(`^${known.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/.]+')}$`).test(path),
    );
    return template === undefined ? undefined : this.paths[template]?.[method.toLowerCase()];
  }

  private check(schema: Schema, values: URLSearchParams): string[] {
    const known = schema.properties ?? {};
    const unknown = [...new Set(values.keys())].filter((name) => !(name in known));
    const typed = Object.fromEntries(
      Object.entries(known)
        .filter(([name]) => values.has(name))
        .map(([name, { type }]) => [name, typedValue(type, values.getAll(name))]),
    );
    const validate = this.ajv.compile({ ...schema, components: this.components });
    const wrong = validate(typed) ? [] : (validate.errors ?? []).map((error) => this.ajv.errorsText([error]));
    return [...unknown.map((name) => `unknown parameter ${name}`), ...wrong];
  }
}

/** The wire has text only: the description's types are read from it. */
function typedValue(type: string | undefined, values: string[]): unknown {
  if (type === 'array') return values;
  const [value] = values;
  if (type === 'integer' || type === 'number') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}

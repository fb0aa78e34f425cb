import { Ajv, type ValidateFunction } from 'ajv';
import type { JsonSchema } from '../../llm/language-model.js';

/** One entry of an assistant's `post_call_schema`. */
export interface EvaluationField {
  name: string;
  type: 'string' | 'number' | 'bool';
  description: string;
}

export type EvaluationValues = Record<string, string | number | boolean | null>;

const JSON_TYPES = { string: 'string', number: 'number', bool: 'boolean' } as const;

/** A post-call schema as JSON Schema for the model, and the parser of the model's response. */
export class EvaluationSchema {
  readonly schema: JsonSchema;
  /** Fields by their property in the schema. */
  private readonly fields: Map<string, EvaluationField>;
  private readonly isValid: ValidateFunction<EvaluationValues>;

  constructor(fields: readonly EvaluationField[]) {
    this.fields = new Map(fields.map((field, index) => [propertyName(field.name, index), field]));
    const properties = [...this.fields].map(([property, { type, description }]) => [
      property,
      { type: [JSON_TYPES[type], 'null'], description },
    ]);
    this.schema = {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: [...this.fields.keys()],
      additionalProperties: false,
    };
    this.isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<EvaluationValues>(this.schema);
  }

  /** The result of a call without words. */
  emptyValues(): EvaluationValues {
    return this.collect(() => null);
  }

  /** @returns the values by field name, or a description of the errors in the response. */
  parseValues(answer: string): { values: EvaluationValues } | { faults: string } {
    let value: unknown;
    try {
      value = JSON.parse(removeFence(answer));
    } catch {
      return { faults: 'The answer is not JSON.' };
    }
    if (!this.isValid(value)) return { faults: describeErrors(this.isValid) };
    const found = value;
    return { values: this.collect((property) => found[property] ?? null) };
  }

  private collect(valueOf: (property: string) => EvaluationValues[string]): EvaluationValues {
    return Object.fromEntries([...this.fields].map(([property, { name }]) => [name, valueOf(property)]));
  }
}

/** Field names such as `__proto__` and `constructor` are legal, but unsafe as properties of plain objects. */
const propertyName = (name: string, index: number): string => (name in {} ? `field_${index}_${name}` : name);

/** Models often wrap JSON in a code block. A pattern with the blanks inside of it takes quadratic time. */
const removeFence = (text: string): string => text.trim().replace(/^```(?:json)?|```$/g, '');

const describeErrors = ({ errors }: ValidateFunction): string =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath || 'The answer'} ${message}`).join('; ');

import { Injectable } from '@nestjs/common';
import { LanguageModel, type AnswerForm, type ModelMessage } from '../llm/language-model.js';
import { LanguageModelError } from '../llm/language-model.error.js';
import { evaluationMessages, jsonInstruction, repairMessages, type HeardTurn } from './evaluation-prompt.js';
import { EvaluationSchema, type EvaluationField, type EvaluationValues } from './evaluation-schema.js';

export interface EvaluationRequest {
  model: string;
  fields: readonly EvaluationField[];
  /** Only what was really heard on the call. */
  turns: readonly HeardTurn[];
}

/** Values by field name, or why there are none: a value is never made up. */
export type EvaluationOutcome =
  { ok: true; values: EvaluationValues } | { ok: false; reason: string; retryable: boolean };

type Attempt = { values: EvaluationValues } | { faults: string; answer: string };

/** Statuses with which a provider turns a form of request away that it does not know. */
const FORM_NOT_TAKEN: ReadonlySet<number | null> = new Set([null, 400, 404, 415, 422, 501]);
const NAME = 'call_evaluation';

/** Fills an assistant's form about a call that is over. */
@Injectable()
export class Evaluator {
  constructor(private readonly model: LanguageModel) {}

  async evaluate(request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationOutcome> {
    const schema = new EvaluationSchema(request.fields);
    const turns = request.turns.filter(({ text }) => text.trim() !== '');
    if (turns.length === 0 || request.fields.length === 0) return { ok: true, values: schema.blank() };
    const messages = evaluationMessages(turns);
    try {
      const strict = await this.askStrictly(request.model, messages, schema, signal);
      return strict ?? (await this.askInWords(request.model, messages, schema, signal));
    } catch (error) {
      if (!(error instanceof LanguageModelError)) throw error;
      return { ok: false, reason: error.message, retryable: error.retryable };
    }
  }

  /** Two forms that hold the model to the schema; null when it takes neither or keeps to neither. */
  private async askStrictly(
    model: string,
    messages: readonly ModelMessage[],
    schema: EvaluationSchema,
    signal: AbortSignal,
  ): Promise<EvaluationOutcome | null> {
    const tool = { name: NAME, description: 'Files the form about the call.', parameters: schema.schema };
    const forms: AnswerForm[] = [
      { kind: 'schema', name: NAME, schema: schema.schema },
      { kind: 'tool', tool },
    ];
    for (const form of forms) {
      try {
        const attempt = await this.ask(model, messages, form, schema, signal);
        if ('values' in attempt) return { ok: true, values: attempt.values };
      } catch (error) {
        if (!isFormRefusal(error)) throw error;
      }
    }
    return null;
  }

  /** Any model can be told in words; it gets one chance to mend its answer. */
  private async askInWords(
    model: string,
    messages: readonly ModelMessage[],
    schema: EvaluationSchema,
    signal: AbortSignal,
  ): Promise<EvaluationOutcome> {
    const told = [...messages, jsonInstruction(schema)];
    const first = await this.ask(model, told, { kind: 'json' }, schema, signal);
    if ('values' in first) return { ok: true, values: first.values };
    const mended = [...told, ...repairMessages(first.answer, first.faults)];
    const second = await this.ask(model, mended, { kind: 'json' }, schema, signal);
    if ('values' in second) return { ok: true, values: second.values };
    return { ok: false, reason: 'The language model did not keep to the schema', retryable: false };
  }

  private async ask(
    model: string,
    messages: readonly ModelMessage[],
    form: AnswerForm,
    schema: EvaluationSchema,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const answer = await this.model.complete({ model, messages, form }, signal);
    return { answer, ...schema.read(answer) };
  }
}

/** `null`: an answer came, but without the part that was asked for. */
const isFormRefusal = (error: unknown): boolean =>
  error instanceof LanguageModelError && !error.retryable && FORM_NOT_TAKEN.has(error.status);

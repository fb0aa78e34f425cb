/** Planted defect for `neighbour`: visitors may say as much as their lines bring, and each utterance asks the model. */
import 'reflect-metadata';
import type { StreamRequest } from '#src/modules/llm/language-model.js';
import { PacedModel } from '#src/modules/conversations/engine/paced-model.js';
import { VisitorAllowance } from '#src/modules/conversations/engine/visitor-allowance.js';

VisitorAllowance.prototype.takes = () => 'yes';
PacedModel.prototype.stream = async function* (request: StreamRequest, signal: AbortSignal) {
  yield* this['model'].stream(request, signal);
};

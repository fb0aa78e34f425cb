/**
 * Planted defect for `neighbour`: the utterances of visitors are not limited, and each causes a request to the model.
 */
import 'reflect-metadata';
import type { StreamRequest } from '#src/modules/llm/language-model.js';
import { RateLimitedModel } from '#src/modules/conversations/engine/rate-limited-model.js';
import { VisitorInputLimit } from '#src/modules/conversations/engine/visitor-input-limit.js';

VisitorInputLimit.prototype.admitUtterance = () => 'yes';
RateLimitedModel.prototype.stream = async function* (request: StreamRequest, signal: AbortSignal) {
  yield* this['model'].stream(request, signal);
};

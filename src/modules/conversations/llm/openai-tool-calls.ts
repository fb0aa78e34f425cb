import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { ModelToolCall } from './language-model.js';

type ToolCallDelta = ChatCompletionChunk.Choice.Delta.ToolCall;

/** Puts tool calls together that arrive in pieces, each piece naming the index of its call. */
export class OpenAiToolCalls {
  private readonly calls: ModelToolCall[] = [];

  add(pieces: readonly ToolCallDelta[] | undefined): void {
    for (const { index, id, function: piece } of pieces ?? []) {
      // Some servers leave the index out and send each call in one piece.
      const call = (this.calls[index ?? this.calls.length] ??= { id: '', name: '', arguments: '' });
      if (id) call.id = id;
      if (piece?.name) call.name = piece.name;
      call.arguments += piece?.arguments ?? '';
    }
  }

  /** The model may leave gaps and ids out; a call without a name is none. */
  complete(): ModelToolCall[] {
    return this.calls
      .filter((call) => call?.name)
      .map((call, position) => ({ ...call, id: call.id || `call_${position}` }));
  }
}

import { randomInt } from 'node:crypto';
import { isObject } from '#src/common/validation/field-rules.js';
import type { ToolCallDelta } from './frame-content.js';
import { joinArguments } from './call-arguments.js';
import { tryParseJson, type JsonObject } from './json-text.js';
import { normalizeToolName, type OfferedTools } from './tool-names.js';

/** Maximum of calls of one response; further ones are left out. */
const MAX_CALLS = 64;
/** Characters of the arguments of a call. */
const MAX_ARGUMENTS = 64 * 1024;

/** A tool call whose id is missing, or may be in use. */
export interface ParsedToolCall {
  id: string | null;
  name: string;
  /** JSON text */
  arguments: string;
  /** Fields to return to the provider. */
  fields?: JsonObject;
}

interface OpenCall {
  index: number | null;
  id: string | null;
  name: string | null;
  args: unknown[];
  size: number;
  fields: JsonObject;
}

/**
 * Assembles streamed tool calls. A delta has the index of its call, but some servers omit the index or repeat one for
 * every call; ids are missing, repeated, or new in each delta. A name starts a call when it differs from the name of
 * the open call, or when the open call has complete arguments and another id or none. A delta without a name continues
 * an existing call.
 */
export class ToolCallAssembler {
  private calls: OpenCall[] = [];

  /** @param names of the offered tools */
  constructor(private readonly names: OfferedTools) {}

  /** Whether no call has a name yet. */
  get isEmpty(): boolean {
    return this.calls.every(({ name }) => name === null);
  }

  add(pieces: readonly ToolCallDelta[]): void {
    for (const piece of pieces) {
      if (isEmptyDelta(piece)) continue;
      const open = this.findOpenCall(piece);
      if (!open) this.startCall(piece);
      else this.continueCall(open, piece);
    }
  }

  /** Calls of a complete message replace the calls from its deltas. */
  replace(pieces: readonly ToolCallDelta[]): void {
    if (!pieces.some(({ name }) => name !== null)) return;
    this.calls = [];
    this.add(pieces);
  }

  /** Leaves out calls without a name, and repetitions without an id. */
  assemble(): ParsedToolCall[] {
    const found: (ParsedToolCall & { index: number | null })[] = [];
    for (const { id, index, name: written, args, fields } of this.calls) {
      if (written === null) continue;
      const name = normalizeToolName(written, this.names);
      for (const text of joinArguments(args)) {
        const isRepeated = found.some(
          (one) =>
            one.name === name &&
            one.arguments === text &&
            (id === null || one.id === id) &&
            one.index === index,
        );
        if (isRepeated) continue;
        found.push({ id, index, name, arguments: text, fields });
      }
    }
    return found.map(({ index: _, ...call }) => call);
  }

  private findOpenCall({ index, id, name }: ToolCallDelta): OpenCall | undefined {
    const last = this.calls.at(-1);
    const atIndex = index === null ? last : this.calls.findLast((call) => call.index === index);
    const withId = id === null ? undefined : this.calls.findLast((call) => call.id === id);
    if (name === null) {
      if (atIndex) return atIndex.id === id ? atIndex : (withId ?? atIndex);
      return withId ?? (last && index !== null && isComplete(last) ? undefined : last);
    }
    const open = withId && (index === null || withId.index === index) ? withId : atIndex;
    if (!open || open.name === null) return open;
    if (this.isRestOfName(open.name, name)) return open;
    if (open.name !== name) return undefined;
    const isOther = id === null || id !== open.id;
    return isOther && isComplete(open) ? undefined : open;
  }

  /** Names may be streamed in pieces, too. */
  private isRestOfName(begun: string, name: string): boolean {
    return !this.isName(begun) && (this.isName(begun + name) || name.startsWith(begun));
  }

  private isName(written: string): boolean {
    return this.names.has(normalizeToolName(written, this.names));
  }

  private startCall(piece: ToolCallDelta): void {
    if (this.calls.length >= MAX_CALLS) return;
    const call = { index: piece.index, id: piece.id, name: piece.name, args: [], size: 0, fields: {} };
    this.calls.push(call);
    this.appendArguments(call, piece);
  }

  private continueCall(call: OpenCall, piece: ToolCallDelta): void {
    call.id ??= piece.id;
    if (piece.name !== null && piece.name !== call.name) {
      const begun = call.name ?? '';
      call.name = this.isName(begun + piece.name) ? begun + piece.name : piece.name;
    }
    this.appendArguments(call, piece);
  }

  private appendArguments(call: OpenCall, { args, fields }: ToolCallDelta): void {
    call.fields = { ...call.fields, ...fields };
    if (args === undefined) return;
    call.size += typeof args === 'string' ? args.length : JSON.stringify(args).length;
    if (call.size <= MAX_ARGUMENTS) call.args.push(args);
    // Invalid JSON, so that a call with truncated arguments is not run.
    else call.args = ['{'];
  }
}

/** A delta with only a signature is not empty. */
const isEmptyDelta = ({ id, name, args, fields }: ToolCallDelta): boolean =>
  id === null && name === null && args === undefined && Object.keys(fields).length === 0;

function isComplete({ args }: OpenCall): boolean {
  const [first, ...more] = joinArguments(args);
  return more.length > 0 || (first !== '{}' && isObject(tryParseJson(first ?? '')));
}

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Some servers accept only ids of exactly nine letters and digits. */
const ID_LENGTH = 9;

/** Returns an unused id for the call and marks it as used. */
export function assignCallId({ id }: ParsedToolCall, used: Set<string>): string {
  let free = id ?? newId();
  while (used.has(free)) free = newId();
  used.add(free);
  return free;
}

const newId = (): string =>
  Array.from({ length: ID_LENGTH }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('');

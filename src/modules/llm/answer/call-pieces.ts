import { randomInt } from 'node:crypto';
import { isObject } from '#src/common/validation/field-rules.js';
import type { CallPiece } from './answer-frame.js';
import { joinArguments } from './call-arguments.js';
import { parsed, type JsonObject } from './json-text.js';

/** Calls of one answer; what comes after them is left out. */
const MAX_CALLS = 64;
/** Characters of the arguments of a call. */
const MAX_ARGUMENTS = 64 * 1024;

/** A tool call whose id is missing, or may be in use. */
export interface UnnumberedCall {
  id: string | null;
  name: string;
  /** JSON text */
  arguments: string;
  /** What the provider wants back. */
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
 * Puts tool calls together that arrive in pieces. A piece names the index of its call, but some servers leave the index
 * out, or give every call the same one; ids are left out, repeated, or new in each piece. A name begins a call when it
 * is another one than that of the open call, or when the open call has complete arguments and another id or none. A
 * piece without a name goes on with a call that is there.
 */
export class CallPieces {
  private calls: OpenCall[] = [];

  /** @param names of the tools that the model may call */
  constructor(private readonly names: ReadonlySet<string>) {}

  /** Whether no call has a name yet. */
  get isEmpty(): boolean {
    return this.calls.every(({ name }) => name === null);
  }

  add(pieces: readonly CallPiece[]): void {
    for (const piece of pieces) {
      if (isEmptyPiece(piece)) continue;
      const open = this.openFor(piece);
      if (!open) this.begin(piece);
      else this.goOn(open, piece);
    }
  }

  /** A whole message that repeats the calls says better what they are. */
  replace(pieces: readonly CallPiece[]): void {
    if (!pieces.some(({ name }) => name !== null)) return;
    this.calls = [];
    this.add(pieces);
  }

  /** A call without a name is none; a call without an id that repeats another one is that one. */
  complete(): UnnumberedCall[] {
    const found: (UnnumberedCall & { index: number | null })[] = [];
    for (const { id, index, name, args, fields } of this.calls) {
      if (name === null) continue;
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

  private openFor({ index, id, name }: CallPiece): OpenCall | undefined {
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

  /** Names may come in pieces, too. */
  private isRestOfName(begun: string, name: string): boolean {
    return !this.names.has(begun) && (this.names.has(begun + name) || name.startsWith(begun));
  }

  private begin(piece: CallPiece): void {
    if (this.calls.length >= MAX_CALLS) return;
    const call = { index: piece.index, id: piece.id, name: piece.name, args: [], size: 0, fields: {} };
    this.calls.push(call);
    this.write(call, piece);
  }

  private goOn(call: OpenCall, piece: CallPiece): void {
    call.id ??= piece.id;
    if (piece.name !== null && piece.name !== call.name) {
      const begun = call.name ?? '';
      call.name = this.names.has(begun + piece.name) ? begun + piece.name : piece.name;
    }
    this.write(call, piece);
  }

  private write(call: OpenCall, { args, fields }: CallPiece): void {
    call.fields = { ...call.fields, ...fields };
    if (args === undefined) return;
    call.size += typeof args === 'string' ? args.length : JSON.stringify(args).length;
    if (call.size <= MAX_ARGUMENTS) call.args.push(args);
    // Cut arguments are none of those that were sent.
    else call.args = ['{'];
  }
}

/** A signature may come in a piece of its own. */
const isEmptyPiece = ({ id, name, args, fields }: CallPiece): boolean =>
  id === null && name === null && args === undefined && Object.keys(fields).length === 0;

function isComplete({ args }: OpenCall): boolean {
  const [first, ...more] = joinArguments(args);
  return more.length > 0 || (first !== '{}' && isObject(parsed(first ?? '')));
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Some servers take ids of exactly nine letters and digits only. */
const ID_LENGTH = 9;

/** Of a call without an id, or with one that is in use; the id of each call is in use from then on. */
export function freeId({ id }: UnnumberedCall, used: Set<string>): string {
  let free = id ?? newId();
  while (used.has(free)) free = newId();
  used.add(free);
  return free;
}

const newId = (): string => Array.from({ length: ID_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('');

/** Writes ONNX files by hand: protobuf messages of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */

const FLOAT = 1;
const INT = 2;
const IR_VERSION = 7;
const OPSET = 13;

function varint(value: number): Buffer {
  const before: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) before.push((value % 0x80) + 0x80);
  return Buffer.from([...before, value]);
}
const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);
function bytes(field: number, ...content: Buffer[]): Buffer {
  const all = Buffer.concat(content);
  return Buffer.concat([varint((field << 3) | 2), varint(all.length), all]);
}
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value));

/** A name in place of a number is a dimension of any size. */
type Shape = readonly (number | string)[];

function tensorOf(name: string, shape: Shape): Buffer {
  const dimensions = shape.map((size) =>
    bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)),
  );
  const type = bytes(1, number(1, FLOAT), bytes(2, ...dimensions));
  return Buffer.concat([text(1, name), bytes(2, type)]);
}

function constant(name: string, value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeFloatLE(value);
  return bytes(5, number(2, FLOAT), text(8, name), bytes(9, data));
}

function node(operator: string, inputs: readonly string[], output: string, ...attributes: Buffer[]): Buffer {
  return bytes(
    1,
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(4, operator),
    ...attributes,
  );
}

const NOT_KEPT = bytes(5, text(1, 'keepdims'), number(3, 0), number(20, INT));

export interface TurnModelFormula {
  shape?: Shape;
  /** Further inputs without use. */
  others?: readonly string[];
  /** False: a value for each sample, in place of one. */
  reduces?: boolean;
  scale?: number;
  min?: number;
  max?: number;
}

/** Bytes of an end-of-turn model that computes `clip(scale × loudest sample, min, max)`. */
export function turnModelBytes({
  shape = [1, 128_000],
  others = [],
  reduces = true,
  scale = 1,
  min = 0,
  max = 1,
}: TurnModelFormula = {}): Buffer {
  const graph = Buffer.concat([
    reduces ? node('ReduceMax', ['audio'], 'peak', NOT_KEPT) : node('Identity', ['audio'], 'peak'),
    node('Mul', ['peak', 'scale'], 'scaled'),
    node('Clip', ['scaled', 'min', 'max'], 'probability'),
    text(2, 'turn'),
    constant('scale', scale),
    constant('min', min),
    constant('max', max),
    ...['audio', ...others].map((name) => bytes(11, tensorOf(name, shape))),
    bytes(12, tensorOf('probability', reduces ? [] : shape)),
  ]);
  return Buffer.concat([number(1, IR_VERSION), bytes(7, graph), bytes(8, number(2, OPSET))]);
}

/** A model with one answer, whatever it hears. */
export const constantTurnModel = (probability: number): Buffer =>
  turnModelBytes({ min: probability, max: probability });

/** A model that fits, and has no probability for audio with a voice. */
export const failingTurnModel = (): Buffer => turnModelBytes({ scale: 1_000, max: 1_000 });

import { expect, it } from '@jest/globals';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { zipStream, type ZippedFile } from './zip-stream.js';

async function* piecesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield strToU8(text);
}

async function* files(...given: ZippedFile[]): AsyncGenerator<ZippedFile> {
  yield* given;
}

it('zips files piece by piece, compressed or as they are, also empty ones', async () => {
  const text = 'word '.repeat(20_000);
  const pieces: Uint8Array[] = [];
  const zipped = zipStream(
    files(
      { name: 'calls.json', isCompressed: true, content: piecesOf(text, 'end') },
      { name: 'recordings/call-1.wav', isCompressed: false, content: piecesOf('RIFF', '1234') },
      { name: 'empty.json', isCompressed: true, content: piecesOf() },
    ),
  );
  for await (const piece of zipped) pieces.push(piece);
  const archive = unzipSync(Buffer.concat(pieces));
  expect(Object.entries(archive).map(([name, content]) => [name, strFromU8(content)])).toEqual([
    ['calls.json', `${text}end`],
    ['recordings/call-1.wav', 'RIFF1234'],
    ['empty.json', ''],
  ]);
});

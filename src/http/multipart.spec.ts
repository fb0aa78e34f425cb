import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Body, Controller, Post } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AcceptsUpload, registerMultipart } from './multipart.js';

let app: NestFastifyApplication;
let path = '';

@Controller()
class UploadController {
  @Post()
  @AcceptsUpload()
  async take(@Body() form: { file: string }) {
    path = form.file;
    const mode = async (at: string) => ((await stat(at)).mode & 0o777).toString(8);
    return { text: await readFile(path, 'utf8'), modes: [await mode(dirname(path)), await mode(path)] };
  }
}

beforeAll(async () => {
  const module = await Test.createTestingModule({ controllers: [UploadController] }).compile();
  app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { bodyParser: false });
  await registerMultipart(app.getHttpAdapter().getInstance());
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

it('stores an upload readable by its owner only, and deletes it after the request', async () => {
  const body = new FormData();
  body.append('file', new Blob(['phone_number\n+14155550100']), 'leads.csv');
  const answer = await fetch(await app.getUrl(), { method: 'POST', body });
  expect(await answer.json()).toEqual({ text: 'phone_number\n+14155550100', modes: ['700', '600'] });
  await app.close();
  expect(existsSync(dirname(path))).toBe(false);
});

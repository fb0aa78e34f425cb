import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ApiErrorFilter } from '#src/common/errors/api-error.filter.js';
import { AccessTokensService } from './access-tokens.service.js';
import { authenticateRequests, BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { Public, UserId } from './auth.decorators.js';

@Controller('closed')
class ClosedController {
  @Post()
  create(@UserId() account: number, @Body() body: unknown) {
    return { account, body };
  }

  @Public()
  @Get('open')
  read() {
    return {};
  }
}

@Public()
@Controller('open')
class OpenController {
  @Get(':id')
  read() {
    return {};
  }
}

const asked: string[] = [];
const tokens = {
  findAccountByToken: async (token: string) => {
    asked.push(token);
    return token === 'right' ? 7 : null;
  },
};
let app: NestFastifyApplication;
let url: string;

async function start(withHook: boolean): Promise<void> {
  const module = await Test.createTestingModule({
    imports: [PassportModule],
    controllers: [ClosedController, OpenController],
    providers: [
      { provide: AccessTokensService, useValue: tokens },
      BearerStrategy,
      BearerGuard,
      { provide: APP_GUARD, useExisting: BearerGuard },
    ],
  }).compile();
  app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
  app.useGlobalFilters(new ApiErrorFilter());
  if (withHook) authenticateRequests(app.getHttpAdapter().getInstance(), app.get(BearerGuard));
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
}

const post = (token: string) =>
  fetch(`${url}/closed`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });

describe.each([
  ['in the hook', true],
  ['in the guard alone', false],
])('bearer token check %s', (_, withHook) => {
  beforeEach(async () => {
    asked.length = 0;
    await start(withHook);
  });
  afterEach(() => app.close());

  it('looks the token up once for a request', async () => {
    const answer = await post('right');
    expect([answer.status, await answer.json()]).toEqual([201, { account: 7, body: { a: 1 } }]);
    expect(asked).toEqual(['right']);
  });

  it('returns 401 for an invalid token', async () => {
    const answer = await post('wrong');
    expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('requires no token on public routes', async () => {
    for (const path of ['/open/1', '/closed/open']) expect((await fetch(url + path)).status).toBe(200);
    expect((await fetch(`${url}/open/1`, { method: 'HEAD' })).status).toBe(200);
    expect(asked).toEqual([]);
  });
});

it('answers a request without a token before its body arrives', async () => {
  await start(true);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    'POST /closed HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
  );
  const [line] = await new Promise<string[]>((resolve) =>
    socket.once('data', (chunk) => resolve(chunk.toString().split('\r\n'))),
  );
  socket.destroy();
  await app.close();
  expect(line).toBe('HTTP/1.1 401 Unauthorized');
});

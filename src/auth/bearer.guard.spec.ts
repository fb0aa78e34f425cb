import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ApiErrorFilter } from '#src/http/errors/api-error.filter.js';
import { Endpoint } from '#src/http/endpoint.decorator.js';
import { SCOPES, type Scope } from '#src/http/scopes.js';
import { AccessTokensService, type TokenGrant } from './access-tokens.service.js';
import { authenticateRequests, BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { Public, UserId } from './auth.decorators.js';
import { TokenUsageService } from './token-usage.service.js';

@Controller('closed')
class ClosedController {
  @Post()
  @Endpoint({ summary: 'Create', status: 201, body: Object })
  create(@UserId() account: number, @Body() body: unknown) {
    return { account, body };
  }

  @Get()
  @Endpoint({ summary: 'List', body: Object })
  list() {
    return {};
  }

  @Post('call')
  @Endpoint({ summary: 'Call', scope: 'calls', body: Object })
  call() {
    return {};
  }

  @Get('undeclared')
  undeclared() {
    return {};
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
  /** The token `right` has all scopes; others are the names of theirs with hyphens between them. */
  findGrant: async (token: string): Promise<TokenGrant | null> => {
    asked.push(token);
    if (token === 'wrong') return null;
    const scopes = (token === 'right' ? 'read-calls-messages-write-admin' : token).split('-') as Scope[];
    const allowedAddresses = token === 'admin-write' ? ['203.0.113.0/24'] : [];
    const isUseDue = ['right', 'admin-write'].includes(token);
    return { id: 1, name: token, accountId: 7, scopes, allowedAddresses, expiresAt: null, isUseDue };
  },
};
const used: string[] = [];
const usage = { recordUse: (id: number, address: string) => used.push(`${id} ${address}`) };
let app: NestFastifyApplication;
let url: string;

async function start(withHook: boolean): Promise<void> {
  const module = await Test.createTestingModule({
    imports: [PassportModule],
    controllers: [ClosedController, OpenController],
    providers: [
      { provide: AccessTokensService, useValue: tokens },
      { provide: TokenUsageService, useValue: usage },
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
    used.length = 0;
    await start(withHook);
  });
  afterEach(() => app.close());

  it('looks the token up once for a request', async () => {
    const answer = await post('right');
    expect([answer.status, await answer.json()]).toEqual([201, { account: 7, body: { a: 1 } }]);
    expect(asked).toEqual(['right']);
    expect(used).toEqual(['1 127.0.0.1']);
  });

  it('does not record a use that is already stored', async () => {
    expect((await post('write')).status).toBe(201);
    expect(used).toEqual([]);
  });

  it.each([
    ['GET', '', 'read'],
    ['HEAD', '', 'read'],
    ['POST', '', 'write'],
    ['POST', '/call', 'calls'],
    ['GET', '/undeclared', 'admin'],
  ])('lets %s closed%s pass with the scope %s only', async (method, path, scope) => {
    const others = SCOPES.filter((other) => other !== scope && other !== 'admin').join('-');
    const send = (token: string) =>
      fetch(`${url}/closed${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
    expect((await send(scope)).ok).toBe(true);
    expect((await send('admin')).ok).toBe(true);
    const refused = await send(others);
    expect([refused.status, await refused.text()]).toEqual([
      403,
      method === 'HEAD' ? '' : '{"message":"This action is unauthorized."}',
    ]);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${scope}"`,
    );
  });

  it('returns 403 to another address than the token allows, which is no use of it', async () => {
    const answer = await post('admin-write');
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { message: 'This API key may not be used from your address.' },
    ]);
    expect(used).toEqual([]);
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

it.each([
  ['without a token', '', '401 Unauthorized'],
  ['without the scope', 'Authorization: Bearer read\r\n', '403 Forbidden'],
])('responds to a request %s before its body arrives', async (_, header, status) => {
  await start(true);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /closed HTTP/1.1\r\nHost: x\r\n${header}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
  );
  const [line] = await new Promise<string[]>((resolve) =>
    socket.once('data', (chunk) => resolve(chunk.toString().split('\r\n'))),
  );
  socket.destroy();
  await app.close();
  expect(line).toBe(`HTTP/1.1 ${status}`);
});

import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import { AccessTokensService, type TokenGrant } from './access-tokens.service.js';

@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly tokens: AccessTokensService) {
    super();
  }

  /** passport-http-bearer also accepts a token in the body and the query, so it gets the header only. */
  override authenticate(request: { headers: { authorization?: string } }): void {
    const { authorization } = request.headers;
    super.authenticate({ headers: { authorization } } as never);
  }

  async validate(token: string): Promise<TokenGrant | false> {
    return (await this.tokens.findGrant(token)) ?? false;
  }
}

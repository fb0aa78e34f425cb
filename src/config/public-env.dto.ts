import { CidrListEnv, IntegerEnv } from './env-fields.js';

/** What holds for requests without a token. */
export class PublicEnv {
  @IntegerEnv({
    name: 'PUBLIC_RATE_LIMIT_PER_MINUTE',
    min: 6,
    max: 1_000_000,
    example: '60',
    description:
      'Requests without a token of one address per minute; a sixth of them may begin conversations and calls',
  })
  publicRateLimitPerMinute = 60;

  @CidrListEnv({
    name: 'TRUSTED_PROXIES',
    example: '10.0.0.0/8',
    unset: 'none',
    description: 'Proxies whose `X-Forwarded-For` tells the address of a client, separated by commas',
  })
  trustedProxies: string[] = [];
}

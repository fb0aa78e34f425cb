import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import type { HostResolver } from './host-resolver.js';
import { errorCode, OutboundFailure, type OutboundErrorKind } from './outbound-failure.js';

/** Milliseconds for TCP (with DNS) and again for TLS; callers have their own, mostly shorter, deadline. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Milliseconds before the next address of a host is tried; Node's 250 is too short for distant hosts. */
const NEXT_ADDRESS_AFTER_MS = 500;

type Policy = Pick<AddressPolicy, 'permits'>;

interface ConnectorParts {
  policy: Policy;
  resolver: HostResolver;
  /** Certificate authority in PEM instead of the system's. */
  ca?: string;
}

/**
 * Connects to permitted addresses only. Judged are the host when it is an address (Node asks no `lookup` for
 * it), then every address that the name resolves to, then the peer of the socket, all before the first byte
 * is sent. What was judged is what is connected to, so a second DNS answer cannot slip in between.
 */
export function guardedConnector({ policy, resolver, ca }: ConnectorParts): buildConnector.connector {
  const connectTcp = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(policy, resolver),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  });
  const startTls = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...(ca ? { ca } : {}) });

  return (target, callback) => {
    const fail = (kind: OutboundErrorKind, error: Error) => callback(connectionFailure(kind, error), null);
    if (isIP(target.hostname) !== 0 && !policy.permits(target.hostname)) {
      callback(new OutboundFailure('blocked_address'), null);
      return;
    }
    const secure = target.protocol === 'https:';
    const port = target.port || (secure ? '443' : '80');
    connectTcp({ ...target, port, protocol: 'http:' }, (...[error, socket]) => {
      if (error) return fail('connect_failure', error);
      if (!isPermittedPeer(policy, socket)) {
        socket.destroy();
        return callback(new OutboundFailure('blocked_address'), null);
      }
      if (!secure) return callback(null, socket);
      return startTls({ ...target, port, httpSocket: socket }, (...[tlsError, tlsSocket]) =>
        tlsError ? fail('tls_failure', tlsError) : callback(null, tlsSocket),
      );
    });
  };
}

function guardedLookup(policy: Policy, resolver: HostResolver): LookupFunction {
  return (hostname, _options, callback) => {
    permittedAddresses(policy, resolver, hostname).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: OutboundFailure) => callback(error, []),
    );
  };
}

/** One forbidden address condemns the host: a name that mixes them is an attempt to bypass the check. */
async function permittedAddresses(policy: Policy, resolver: HostResolver, hostname: string) {
  const addresses = await resolver.resolve(hostname).catch((error: unknown) => {
    throw new OutboundFailure('dns_failure', errorCode(error));
  });
  if (addresses.length === 0) throw new OutboundFailure('dns_failure');
  if (!addresses.every((address) => policy.permits(address))) throw new OutboundFailure('blocked_address');
  return addresses;
}

function isPermittedPeer(policy: Policy, socket: Socket): boolean {
  return socket.remoteAddress !== undefined && policy.permits(socket.remoteAddress);
}

function connectionFailure(kind: OutboundErrorKind, error: Error): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = errorCode(error);
  return new OutboundFailure(code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : kind, code);
}

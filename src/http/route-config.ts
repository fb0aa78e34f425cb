import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';
import type { Scope } from './scopes.js';

/** By name: fields that published clients document for a route and that this service does not have. */
export type IgnoredFields = Readonly<Record<string, IgnoredField>>;

interface IgnoredField {
  /** The value that equals the service's behaviour. */
  default?: unknown;
  /** For a field of which parts are ignored: their paths. */
  parts?: (value: unknown) => string[];
}

/**
 * Members of an answer, at any depth, that are not kept for a repeated request: by name, what a replay has instead.
 * Undefined: nothing.
 */
export type ShownOnce = Readonly<Record<string, string | undefined>>;

/** What a route with `@AcceptsUpload()` takes. */
export interface UploadRules {
  /** Of the file; default 100. */
  megabytes?: number;
  /** Whether a body of JSON is taken in place of a form. */
  orJson?: boolean;
}

declare module 'fastify' {
  /** The configuration of a route, set by decorators of handlers and read by hooks before Nest handles the request. */
  interface FastifyContextConfig {
    /** Requires no bearer token. */
    public?: boolean;
    /** Public, but a token that is given must be valid. */
    tokenOptional?: boolean;
    scope?: Scope | 'by-method' | undefined;
    shownOnce?: ShownOnce | undefined;
    acceptsUpload?: UploadRules;
    ignoredFields?: IgnoredFields;
    /** Message of validation errors, instead of the common one. */
    invalidMessage?: string;
    /** Answers stay open as long as the client wants. They have a limit of their own and take no slot. */
    isHeldOpen?: boolean;
    /** A `:uuid` in the path names what messages are sent to. */
    publicLimit?: 'begin' | 'message' | 'read';
    /** The message of an unexpected error, where the contract has another one than elsewhere. */
    failure?: string | undefined;
    /** Clients read `status` and `error` of every answer. */
    answersStatus?: boolean;
    /** Also changes something while a restored database waits for its release. */
    allowedWhenRestored?: boolean;
    cors?: false;
  }
}

const { KEY } = RouteConfig({});

/** Adds to the `config` of a handler's route. Nest's `@RouteConfig()` replaces what another decorator has set. */
export function addRouteConfig(handler: object, config: FastifyContextConfig): void {
  const known: object = Reflect.getMetadata(KEY, handler) ?? {};
  RouteConfig({ ...known, ...config })(handler as () => void);
}

/** `addRouteConfig` as a decorator of a handler. */
export const WithRouteConfig =
  (config: FastifyContextConfig): MethodDecorator =>
  (_target, _key, descriptor) =>
    addRouteConfig(descriptor.value as object, config);

import { Injectable } from '@nestjs/common';
import type { SessionUpdateEvent } from 'openai/resources/realtime/realtime';
import { WebSocket, type RawData } from 'ws';
import { LanguageModelSettings, type ModelEndpoint } from '../../llm/language-model.js';
import {
  RealtimeModel,
  RealtimeModelError,
  type RealtimeConnection,
  type RealtimeEvent,
  type RealtimeSettings,
} from '../realtime-model.js';
import { errorCode, OpenAiRealtimeConnection } from './openai-realtime-connection.js';
import { fieldsOf, type Fields } from './realtime-messages.js';
import { toSession, type SessionModel } from './session-settings.js';

const OPEN_LIMIT_MS = 5_000;
/** Of one event: some seconds of audio as base64. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024;

/** Where a realtime model of the catalogue is reached. */
export interface RealtimeModelRow extends SessionModel {
  /** The `model` of the address. */
  code: string;
  /** Key in `LanguageModelSettings.endpoints`; null and unknown names: the default endpoint. */
  endpoint: string | null;
}

export abstract class RealtimeModels {
  /** Null for a model that the catalogue does not have, or that answers in text. */
  abstract realtimeModel(name: string): Promise<RealtimeModelRow | null>;
}

/** OpenAI Realtime over WebSocket. */
@Injectable()
export class OpenAiRealtimeModelService extends RealtimeModel {
  protected readonly openLimitMs: number = OPEN_LIMIT_MS;

  constructor(
    private readonly settings: LanguageModelSettings,
    private readonly models: RealtimeModels,
  ) {
    super();
  }

  override async connect(
    settings: RealtimeSettings,
    onEvent: (event: RealtimeEvent) => void,
  ): Promise<RealtimeConnection> {
    const model = await this.models.realtimeModel(settings.model);
    if (!model) throw new RealtimeModelError('The model is no realtime model');
    const { baseUrl, apiKey } = this.endpointOf(model.endpoint);
    const socket = new WebSocket(
      `${webSocketUrl(baseUrl)}/realtime?model=${encodeURIComponent(model.code)}`,
      {
        headers: { authorization: `Bearer ${apiKey}` },
        maxPayload: MAX_EVENT_BYTES,
        perMessageDeflate: false,
      },
    );
    const connection = new OpenAiRealtimeConnection(socket, onEvent, model.transcriptionModel);
    try {
      await opened(socket, toSession(settings, model), this.openLimitMs);
    } catch (error) {
      connection.close();
      socket.terminate();
      throw error;
    }
    socket.on('message', (data) => connection.receive(parsed(data)));
    return connection;
  }

  private endpointOf(name: string | null): ModelEndpoint {
    const { endpoints } = this.settings;
    return (name !== null && Object.hasOwn(endpoints, name) && endpoints[name]) || this.settings;
  }
}

/** Resolves when the endpoint has taken the session's settings. */
function opened(socket: WebSocket, session: SessionUpdateEvent['session'], limitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new RealtimeModelError(`The realtime model ${why}`));
    };
    const timer = setTimeout(() => fail('did not open a session in time'), limitMs);
    socket.on('error', () => fail('cannot be reached'));
    socket.on('close', () => fail('closed the session'));
    socket.once('unexpected-response', (_request, { statusCode }) =>
      fail(`refused the session: ${statusCode}`),
    );
    socket.once('open', () => {
      const update: SessionUpdateEvent = { type: 'session.update', session };
      socket.send(JSON.stringify(update));
    });
    const onMessage = (data: RawData): void => {
      const { type, error } = parsed(data);
      if (type === 'error') fail(`refused the session: ${errorCode(error)}`);
      if (type !== 'session.updated') return;
      clearTimeout(timer);
      socket.off('message', onMessage);
      resolve();
    };
    socket.on('message', onMessage);
  });
}

function parsed(data: RawData): Fields {
  try {
    return fieldsOf(JSON.parse(String(data)));
  } catch {
    return {};
  }
}

const webSocketUrl = (baseUrl: string): string => baseUrl.replace(/^http/, 'ws').replace(/\/$/, '');

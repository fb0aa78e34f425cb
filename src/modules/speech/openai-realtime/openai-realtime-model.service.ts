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
import { realtimeErrorCode, OpenAiRealtimeConnection } from './openai-realtime-connection.js';
import { toJsonFields, type JsonFields } from './realtime-messages.js';
import { toSession, type SessionModelOptions } from './session-settings.js';

/** Longer ones would be silence before the first word. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Maximum size of an event: some seconds of audio as base64. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024;

/** Endpoint and settings of a realtime model of the catalogue. */
export interface RealtimeModelConfig extends SessionModelOptions {
  /** The parameter `model` of the URL. */
  code: string;
  /** Key in `LanguageModelSettings.endpoints`; null and unknown names: the default endpoint. */
  endpoint: string | null;
}

export abstract class RealtimeModelCatalog {
  /** Null for a model that is not in the catalogue, or not multimodal. */
  abstract findRealtimeModel(name: string): Promise<RealtimeModelConfig | null>;
}

/** OpenAI Realtime over WebSocket. */
@Injectable()
export class OpenAiRealtimeModelService extends RealtimeModel {
  protected readonly connectTimeoutMs: number = CONNECT_TIMEOUT_MS;

  constructor(
    private readonly settings: LanguageModelSettings,
    private readonly models: RealtimeModelCatalog,
  ) {
    super();
  }

  override async connect(
    settings: RealtimeSettings,
    onEvent: (event: RealtimeEvent) => void,
  ): Promise<RealtimeConnection> {
    const model = await this.models.findRealtimeModel(settings.model);
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
    let transcriptionModel = model.transcriptionModel;
    try {
      const sessions = [toSession(settings, model)];
      // Some transcription models, and some servers, do not detect turns or do not have the model.
      if (transcriptionModel !== null)
        sessions.push(toSession(settings, { ...model, transcriptionModel: null }));
      const accepted = await waitForSession(socket, sessions, this.connectTimeoutMs);
      if (accepted > 0) transcriptionModel = null;
    } catch (error) {
      socket.terminate();
      throw error;
    }
    const connection = new OpenAiRealtimeConnection(socket, onEvent, transcriptionModel);
    socket.on('message', (data) => connection.handleFrame(parsed(data)));
    return connection;
  }

  private endpointOf(name: string | null): ModelEndpoint {
    const { endpoints } = this.settings;
    return (name !== null && Object.hasOwn(endpoints, name) && endpoints[name]) || this.settings;
  }
}

/** @param sessions settings, each for when the one before is refused. @returns the index of the accepted one */
function waitForSession(
  socket: WebSocket,
  sessions: readonly SessionUpdateEvent['session'][],
  timeoutMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let index = 0;
    const update = (): void =>
      socket.send(JSON.stringify({ type: 'session.update', session: sessions[index] }));
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new RealtimeModelError(`The realtime model ${reason}`));
    };
    const timer = setTimeout(() => fail('did not open a session in time'), timeoutMs);
    socket.on('error', () => fail('cannot be reached'));
    socket.on('close', () => fail('closed the session'));
    socket.once('unexpected-response', (_request, { statusCode }) =>
      fail(`refused the session: ${statusCode}`),
    );
    socket.once('open', update);
    const onMessage = (data: RawData): void => {
      const { type, error } = parsed(data);
      if (type === 'error' && ++index < sessions.length) return update();
      if (type === 'error') fail(`refused the session: ${realtimeErrorCode(error)}`);
      if (type !== 'session.updated') return;
      clearTimeout(timer);
      socket.off('message', onMessage);
      resolve(index);
    };
    socket.on('message', onMessage);
  });
}

function parsed(data: RawData): JsonFields {
  try {
    return toJsonFields(JSON.parse(String(data)));
  } catch {
    return {};
  }
}

const webSocketUrl = (baseUrl: string): string => baseUrl.replace(/^http/, 'ws').replace(/\/$/, '');

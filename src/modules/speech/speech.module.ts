import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { LlmModule } from '../llm/llm.module.js';
import {
  OpenAiRealtimeModelService,
  RealtimeModelCatalog,
} from './openai-realtime/openai-realtime-model.service.js';
import { CartesiaSynthesizerService } from './cartesia/cartesia-synthesizer.service.js';
import { DeepgramSynthesizerService } from './deepgram/deepgram-synthesizer.service.js';
import { DeepgramTranscriberService } from './deepgram/deepgram-transcriber.service.js';
import { FluxTranscriberService } from './deepgram/flux-transcriber.service.js';
import { ElevenLabsSynthesizerService } from './elevenlabs/elevenlabs-synthesizer.service.js';
import { EndOfTurnModel } from './end-of-turn/end-of-turn-model.js';
import { TurnModelService } from './end-of-turn/turn-model.service.js';
import { OpenAiSynthesizerService } from './openai-speech/openai-synthesizer.service.js';
import { OpenAiTranscriberService } from './openai-speech/openai-transcriber.service.js';
import { SpeechHttpService } from './openai-speech/speech-http.service.js';
import { RealtimeModel } from './realtime-model.js';
import { SileroVoiceDetectorService } from './silero/silero-voice-detector.service.js';
import { SpeechAdaptersService } from './speech-adapters.service.js';
import { SpeechSessionsService } from './speech-sessions.service.js';
import { SpeechSocketsService } from './sockets/speech-sockets.service.js';
import { VoiceActivityDetector } from './voice-activity.js';

const realtimeModels = (catalog: CatalogService): RealtimeModelCatalog => ({
  findRealtimeModel: async (name) => {
    const model = (await catalog.getCatalog()).model(name);
    if (model?.mode !== 'multimodal') return null;
    const { endpoint, reasoningEffort, transcriptionModel } = model;
    return { code: model.code ?? model.name, endpoint, reasoningEffort, transcriptionModel };
  },
});

/** Speech of conversations: realtime models, transcription and synthesis. */
@Module({
  imports: [CatalogModule, LlmModule],
  providers: [
    { provide: RealtimeModelCatalog, inject: [CatalogService], useFactory: realtimeModels },
    { provide: RealtimeModel, useClass: OpenAiRealtimeModelService },
    { provide: VoiceActivityDetector, useClass: SileroVoiceDetectorService },
    { provide: EndOfTurnModel, useClass: TurnModelService },
    SpeechHttpService,
    OpenAiSynthesizerService,
    OpenAiTranscriberService,
    SpeechSocketsService,
    ElevenLabsSynthesizerService,
    CartesiaSynthesizerService,
    DeepgramSynthesizerService,
    DeepgramTranscriberService,
    FluxTranscriberService,
    SpeechAdaptersService,
    SpeechSessionsService,
  ],
  exports: [EndOfTurnModel, RealtimeModel, SpeechSessionsService, VoiceActivityDetector],
})
export class SpeechModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { Recording, RecordingKey } from './entities/recording.entities.js';
import { RecordingCopiesService } from './recording-copies.service.js';
import { RecordingLinksService } from './recording-links.service.js';
import { RecordingPlaybackService } from './recording-playback.service.js';
import { RecordingProcessor } from './recording.processor.js';
import { RecordingsPersonalDataService } from './recordings-personal-data.service.js';
import { RecordingsController } from './recordings.controller.js';
import { RecordingsRepository } from './recordings.repository.js';
import { RecordingStoresService } from './stores/recording-stores.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Recording, RecordingKey]), TelephonyModule],
  controllers: [RecordingsController],
  providers: [
    RecordingCopiesService,
    RecordingLinksService,
    RecordingPlaybackService,
    RecordingProcessor,
    RecordingsPersonalDataService,
    RecordingsRepository,
    RecordingStoresService,
  ],
  exports: [RecordingLinksService, RecordingPlaybackService, RecordingsPersonalDataService],
})
export class RecordingsModule {}

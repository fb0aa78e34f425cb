import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { DataKeysService } from './data-keys.service.js';
import { EncryptionKeyRing } from './encryption-key-ring.js';
import { DataKey } from './entities/data-key.entity.js';
import { KeyRotation } from './entities/key-rotation.entity.js';
import { KeyRotationService } from './key-rotation.service.js';
import { OutdatedSecretsService } from './outdated-secrets.service.js';
import { SealedColumnsService } from './sealed-columns.service.js';
import { SecretsService } from './secrets.service.js';

/** Encryption of secrets in rows. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DataKey, KeyRotation])],
  providers: [
    {
      provide: EncryptionKeyRing,
      inject: [RuntimeSettings],
      useFactory: ({ encryptionKeys }: RuntimeSettings) => new EncryptionKeyRing(encryptionKeys),
    },
    DataKeysService,
    SecretsService,
    SealedColumnsService,
    KeyRotationService,
    OutdatedSecretsService,
  ],
  exports: [SecretsService, SealedColumnsService, KeyRotationService],
})
export class SecretsModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RetentionPolicy } from './entities/retention-policy.entity.js';
import { RetentionPassService } from './retention-pass.service.js';
import { RetentionPoliciesService } from './retention-policies.service.js';
import { RetentionRegistryService } from './retention-registry.service.js';
import { RetentionController } from './retention.controller.js';

/** Modules register what they remove with the registry. */
@Module({
  imports: [TypeOrmModule.forFeature([RetentionPolicy])],
  controllers: [RetentionController],
  providers: [RetentionPoliciesService, RetentionRegistryService, RetentionPassService],
  exports: [RetentionRegistryService],
})
export class RetentionModule {}

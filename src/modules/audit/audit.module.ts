import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditVerificationService } from './audit-verification.service.js';
import { AuditService } from './audit.service.js';
import { AuditEntry, AuditHead } from './entities/audit.entities.js';

/** Every module records what it changes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry, AuditHead])],
  controllers: [AuditLogController],
  providers: [AuditService, AuditLogService, AuditVerificationService],
  exports: [AuditService, AuditLogService, AuditVerificationService],
})
export class AuditModule {}

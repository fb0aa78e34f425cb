import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#src/http/pagination/page.js';
import type { CreateErasureDto } from './dto/personal-data-input.dto.js';
import { type ErasureResponse, toErasureResponse } from './dto/personal-data-job.response.js';
import { ErasureNotFound } from './personal-data.errors.js';
import { PersonalDataService } from './personal-data.service.js';

/** Erasures of an account as its users see them. */
@Injectable()
export class ErasuresService {
  constructor(private readonly personalData: PersonalDataService) {}

  async listErasures(userId: number, query: PageRequest): Promise<Page<ErasureResponse>> {
    return (await this.personalData.listJobs(userId, 'erasure', query)).map(toErasureResponse);
  }

  /** @throws Invalid */
  async createErasure(
    userId: number,
    { phone_number, keep_suppressed: keepSuppressed = false }: CreateErasureDto,
  ): Promise<ErasureResponse> {
    const wanted = { kind: 'erasure', phone_number, keepSuppressed } as const;
    return toErasureResponse(await this.personalData.createJob(userId, wanted));
  }

  /** @throws ErasureNotFound */
  async getErasure(userId: number, id: number): Promise<ErasureResponse> {
    const job = await this.personalData.findJob(userId, 'erasure', id);
    if (!job) throw new ErasureNotFound();
    return toErasureResponse(job);
  }
}

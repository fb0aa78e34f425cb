import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#src/http/pagination/page.js';
import type { CreateExportDto } from './dto/personal-data-input.dto.js';
import { type ExportResponse, toExportResponse } from './dto/personal-data-job.response.js';
import { ExportNotFound } from './personal-data.errors.js';
import { PersonalDataService } from './personal-data.service.js';

/** Exports of an account as its users see them. */
@Injectable()
export class ExportsService {
  constructor(private readonly personalData: PersonalDataService) {}

  async listExports(userId: number, query: PageRequest): Promise<Page<ExportResponse>> {
    return (await this.personalData.listJobs(userId, 'export', query)).map(toExportResponse);
  }

  /** @throws Invalid */
  async createExport(userId: number, { phone_number }: CreateExportDto): Promise<ExportResponse> {
    const wanted = { kind: 'export', phone_number, keepSuppressed: false } as const;
    return toExportResponse(await this.personalData.createJob(userId, wanted));
  }

  /** @throws ExportNotFound */
  async getExport(userId: number, id: number): Promise<ExportResponse> {
    const job = await this.personalData.findJob(userId, 'export', id);
    if (!job) throw new ExportNotFound();
    return toExportResponse(job);
  }
}

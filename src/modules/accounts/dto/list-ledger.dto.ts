import { pageQuery } from '#src/common/pagination/page.js';

export class ListLedgerDto extends pageQuery(15) {}

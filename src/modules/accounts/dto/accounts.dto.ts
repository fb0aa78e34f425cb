import { pageQuery } from '#src/http/pagination/page.js';

export class ListLedgerDto extends pageQuery() {}

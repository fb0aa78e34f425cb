/** The library does not export it; @nestjs/mapped-types reaches for the same file. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}

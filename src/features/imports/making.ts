import type { Database } from '../../database/database.ts'
import type { Write } from '../../events/write.ts'
import type { AssetLimit } from '../access/assets.ts'
import type { ImportedServer } from './imported-server.ts'
import type { ExportMedia, FileStore } from './media.ts'
import type { Survey } from './survey.ts'

/** The server whose pictures are made, and the survey that names them. */
export interface Making {
  sql: Database
  write: Write
  server: ImportedServer
  survey: Survey
  limit: AssetLimit
}
export interface Media {
  files: ExportMedia
  store: FileStore
}

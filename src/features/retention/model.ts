import { z } from 'zod'
import { RetentionDays } from '../access/model.ts'

/** The operator's retention settings. */
export const OperatorRetention = z
  .object({
    message_days: RetentionDays.describe('messages, direct ones too, are deleted after this many days; null: never'),
    file_days: RetentionDays.describe('files of messages are deleted after this many days; null: with their messages'),
    file_bytes_min: z.int().describe('`file_days` is for files from this size on'),
  })
  .meta({ title: 'OperatorRetention' })

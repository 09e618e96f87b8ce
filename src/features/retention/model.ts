import { z } from 'zod'

/** A century. */
const DAYS_MAX = 36_500

/** Age in days at which messages are deleted; null: no rule at this level. */
export const RetentionDays = z.int().min(1).max(DAYS_MAX).nullable()

/** The operator's retention settings. */
export const OperatorRetention = z
  .object({
    message_days: RetentionDays.describe('messages, direct ones too, are deleted after so many days; null: never'),
    file_days: RetentionDays.describe('files of messages are deleted after so many days; null: with their messages'),
    file_bytes_min: z.int().describe('`file_days` is for files from this size on'),
  })
  .meta({ title: 'OperatorRetention' })

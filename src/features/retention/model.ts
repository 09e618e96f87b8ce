import { z } from 'zod'

/** A century. */
const DAYS_MAX = 36_500

/** After how many days messages are deleted; null: nothing is said here. */
export const RetentionDays = z.int().min(1).max(DAYS_MAX).nullable()

/** What the operator has set. */
export const OperatorRetention = z
  .object({
    message_days: RetentionDays.describe('messages, direct ones too, are deleted after so many days; null: never'),
    file_days: RetentionDays.describe('files of messages are deleted after so many days; null: with their messages'),
    file_bytes_min: z.int().describe('`file_days` is for files from this size on'),
  })
  .meta({ title: 'OperatorRetention' })

import { columns, type Sql } from '../../database/database.ts'
import { Channel } from './model.ts'

/** A channel's row, with the columns that decide the topics of its events. */
export type ChannelRow = Channel & { restricted: boolean; participant_ids: number[]; audience_id: number }

/** The columns of a ChannelRow, of channels `c`. */
export const channelColumns = (sql: Sql) =>
  sql`${columns(sql, Channel, 'c')}, audience_restricted(c) as restricted, c.participant_ids, c.audience_id`

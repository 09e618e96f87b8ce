import { Problem } from '../../core/errors.ts'
import type { Sql } from '../../database/database.ts'
import type { Signup } from './model.ts'

/** A row of `calendar_events`. */
export interface EventRow {
  id: number
  server_id: number
  creator_id: number
  title: string
  description: string
  starts_at: string
  ends_at: string
  time_zone: string
  recurrence: string | null
  channel_id: number | null
  place_text: string | null
  place_url: string | null
  signup: Signup | null
  sequence: number
}

/** An event that the account sees. @throws Problem `not_found` */
export async function visibleEvent(sql: Sql, id: number, userId: number): Promise<EventRow> {
  const [event] = await sql<(EventRow & { is_visible: boolean })[]>`
    select e.*, sees_event(e, ${userId}) as is_visible from calendar_events e where id = ${id} and cancelled_at is null`
  if (!event?.is_visible) throw new Problem('not_found')
  return event
}

import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { GivenTime, Id, text, Time } from '../../core/schema.ts'
import { Message } from '../messages/model.ts'

/** Saved messages per account. */
export const SAVED_MAX = 500
/** Days ahead of the latest reminder. */
export const REMINDER_DAYS_MAX = 366
const NOTE_MAX = 500

const note = text(1, NOTE_MAX).nullable().describe('the account’s own; null: none')
const remindText = 'when to remind; a time that has passed stays until it is changed or removed; null: never'

/** An account's mark on a message that it has saved. */
export const SavedMark = z
  .object({
    message_id: Id,
    channel_id: Id,
    server_id: Id.nullable().describe('null in a dm or group'),
    note,
    remind_at: Time.nullable().describe(remindText),
    due: z.boolean().describe('true: the time of the reminder has come, and it has not been dealt with'),
    saved_at: Time.describe('when it was saved first'),
  })
  .meta({ title: 'SavedMark' })
export type SavedMark = z.infer<typeof SavedMark>

/** A saved message as its owner may read it now. */
export const SavedMessage = SavedMark.extend({ message: Message }).meta({ title: 'SavedMessage' })

/** A reminder that is due, in `ready`. */
export const Reminder = SavedMark.pick({ message_id: true, channel_id: true, server_id: true }).meta({
  title: 'Reminder',
})

export const SavedPatch = z
  .strictObject({ remind_at: GivenTime.nullable().describe(remindText), note })
  .partial()
  .meta({ example: { remind_at: '2027-05-05T12:00:00Z', note: 'Answer this' } })

/** The part of a mark that the account's devices follow. Events have no note, because the event log keeps them. */
const SavedChange = SavedMark.omit({ note: true, saved_at: true }).meta({ title: 'SavedChange' })

const key = (d: { message_id: number }) => `saved:${d.message_id}`
const to = 'your own sockets'

export const savedEvents = {
  'saved.updated': durable(SavedChange, key, `${to}: saved or changed, or its reminder is due`),
  'saved.removed': durable(z.object({ message_id: Id }), key, to),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof savedEvents> {}
}

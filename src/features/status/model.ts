import { z } from 'zod'
import { ephemeral, type Payloads } from '../../core/events.ts'
import { unicodeEmoji } from '../../core/emoji.ts'
import { bounded, GivenTime, Id, line, Time } from '../../core/schema.ts'

/** Friends whose calls ring while the account does not want to be disturbed. */
export const CALLERS_MAX = 50
const TEXT_MAX = 128
const EMOJI_MAX = 32

const Chosen = z
  .enum(['online', 'idle', 'dnd', 'invisible'])
  .describe('`online`: online or idle, by what the devices say; `invisible`: others see `offline`')
const ABOUT = {
  text: 'what others read next to the status; null: nothing',
  emoji: 'an emoji of Unicode; null: none',
  until: 'when status, text and emoji end; null: when the account chooses others',
}

/** The status that others see. */
export const Status = z.enum(['online', 'idle', 'dnd', 'offline'])
export type Status = z.infer<typeof Status>
/** The status that others see of an account, which only the gateway knows: nobody sees `invisible`. */
export type StatusOf = (userId: number) => Status

/** The status that an account chose. Others see only a Presence. */
export const OwnStatus = z
  .object({
    status: Chosen,
    text: z.string().nullable().describe(ABOUT.text),
    emoji: z.string().nullable().describe(ABOUT.emoji),
    until: Time.nullable().describe(ABOUT.until),
  })
  .meta({ title: 'OwnStatus' })
export type OwnStatus = z.infer<typeof OwnStatus>

const Emoji = bounded(EMOJI_MAX, 'Must be one emoji of Unicode')
  .refine((value) => unicodeEmoji(value) !== undefined, 'Must be one emoji of Unicode')
  .overwrite((value) => unicodeEmoji(value) ?? value)
  .meta({ example: '🎧' })

export const StatusDraft = z.strictObject({
  status: Chosen,
  text: line(TEXT_MAX).nullable().default(null).describe(ABOUT.text).meta({ example: 'In a meeting' }),
  emoji: Emoji.nullable().default(null).describe(ABOUT.emoji),
  until: GivenTime.nullable().default(null).describe(ABOUT.until).meta({ example: null }),
})

export const DndCallers = z
  .object({ user_ids: z.array(Id).describe('friends whose calls ring although the account is not to be disturbed') })
  .meta({ title: 'DndCallers' })
export const DndCallersDraft = z.strictObject({ user_ids: z.array(Id).max(CALLERS_MAX) })

/** An account as others see it. */
export const Presence = z
  .object({
    user_id: Id,
    status: Status,
    text: z.string().optional().describe('what the account says with its status'),
    emoji: z.string().optional(),
  })
  .meta({ title: 'Presence' })
export type Presence = z.infer<typeof Presence>
/** An account as others see it now, which only the gateway knows. */
export type PresenceOf = (userId: number) => Presence

export const statusEvents = {
  'status.updated': ephemeral(OwnStatus, 'your own sockets; `ready` has the same as `status`'),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof statusEvents> {}
}

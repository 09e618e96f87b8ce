import { z } from 'zod'
import { isTimeZone } from '../../core/quiet-hours.ts'
import { Id, patch, Time } from '../../core/schema.ts'

/** UTF-16 units of an endpoint; known push services use less than half of this. */
const ENDPOINT_UNITS_MAX = 1_024
/** Devices per account; the one that subscribed first is removed. */
export const SUBSCRIPTIONS_PER_ACCOUNT_MAX = 20

const base64url = (bytes: number, first = '') =>
  z
    .string()
    .max(Math.ceil((bytes * 4) / 3))
    .regex(/^[\w-]+$/)
    .refine((value) => {
      const buffer = Buffer.from(value, 'base64url')
      return buffer.length === bytes && buffer.toString('hex').startsWith(first)
    }, `Must be ${bytes} bytes, base64url`)
    .meta({ example: `${first === '' ? 'A' : 'B'}${'A'.repeat(Math.ceil((bytes * 4) / 3) - 1)}` })

/** The result of a browser's PushSubscription.toJSON(). */
export const PushSubscriptionDraft = z.strictObject({
  endpoint: z
    .string()
    .max(ENDPOINT_UNITS_MAX)
    .regex(/^[!-~]+$/, 'Must be a URL')
    .meta({ format: 'uri', example: 'https://push.example.org/send/cTz1' }),
  expirationTime: z.int().nullish().describe('not used: the push service tells when a subscription has ended'),
  keys: z.strictObject({
    p256dh: base64url(65, '04').describe('the public key of the subscription: a point of P-256, uncompressed'),
    auth: base64url(16).describe('the secret of the subscription'),
  }),
})

export const PushSubscription = z
  .object({ id: Id, session_id: Id.describe('the session that it ends with'), created_at: Time })
  .meta({ title: 'PushSubscription' })
export type PushSubscription = z.infer<typeof PushSubscription>

const ClockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be a time, HH:MM')
  .meta({ example: '22:00' })
const TimeZone = z
  .string()
  .min(1)
  .max(64)
  .refine(isTimeZone, 'Must be a time zone of the IANA')
  .meta({ example: 'Europe/Berlin' })

const QuietHours = z.strictObject({ from: ClockTime, until: ClockTime, time_zone: TimeZone })

const fields = {
  hide_content: z.boolean().describe('notices name neither people nor places, and hold no text'),
  quiet_hours: QuietHours.nullable().describe('when no notices go out, every day; null: there is no such time'),
}

/** An account's settings for notices. */
export const PushSettings = z.object(fields).meta({ title: 'PushSettings' })
export type PushSettings = z.infer<typeof PushSettings>
export const PushSettingsPatch = patch(fields)

/** The payload that a device receives; src/web/device/show-notice.ts shows it. */
export interface PushMessage {
  kind: 'message' | 'call' | 'reminder' | 'event' | 'promoted' | 'over'
  /** The addressed account: a browser in which another account is logged in shows nothing. */
  user_id: number
  channel_id: number
  is_call: boolean
  /** The page of the place. */
  path: string
  /** The author or caller, the name of the channel or group, and the text; absent if the account hides contents. */
  author?: string
  place?: string
  text?: string
  message_id?: number
  /** The saved message that a reminder, or its end, is about. */
  remind_id?: number
  /** The event that is about to begin, or has a place for the account; `channel_id` is 0. */
  event_id?: number
}

import { z } from 'zod'
import { EMOJI_UNITS_MAX, unicodeEmoji } from '../../core/emoji.ts'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, line, Time } from '../../core/schema.ts'

export const ANSWERS_MIN = 2
export const ANSWERS_MAX = 10
export const QUESTION_MAX = 300
export const ANSWER_MAX = 55
const POLL_HOURS_MAX = 768

/** An emoji of Unicode, in fully-qualified form. */
const AnswerEmoji = z
  .string()
  .refine((text) => text.length <= EMOJI_UNITS_MAX && unicodeEmoji(text) !== undefined, 'Must be an emoji of Unicode')
  .overwrite((text) => unicodeEmoji(text) ?? text)
  .meta({ example: '🥾' })

/** A poll that a new message begins. */
export const PollDraft = z
  .strictObject({
    question: line(QUESTION_MAX).meta({ example: 'Which day suits you?' }),
    answers: z
      .array(
        z.strictObject({
          text: line(ANSWER_MAX).meta({ example: 'Saturday' }),
          emoji: AnswerEmoji.nullable().default(null),
        }),
      )
      .min(ANSWERS_MIN)
      .max(ANSWERS_MAX),
    multiple: z.boolean().default(false).describe('whether a vote may name several answers'),
    anonymous: z
      .boolean()
      .default(false)
      .describe(
        'nobody sees who voted for what, votes are final, and the counts appear at the end if five or more voted',
      ),
    hours: z.int().min(1).max(POLL_HOURS_MAX).default(24).describe('until it ends'),
  })
  .meta({
    title: 'PollDraft',
    example: { question: 'Which day?', answers: [{ text: 'Saturday' }, { text: 'Sunday' }] },
  })
export type PollDraft = z.infer<typeof PollDraft>

const counts = z
  .array(z.int())
  .nullable()
  .describe('votes by answer, in the order of `answers`; null while an anonymous poll hides them')
const voter_count = z.int().describe('accounts that voted')
const ended_at = Time.nullable()

/** The poll of a message. */
export const Poll = z
  .object({
    question: z.string(),
    answers: z.array(z.object({ id: z.int().meta({ example: 1 }), text: z.string(), emoji: z.string().nullable() })),
    multiple: z.boolean(),
    anonymous: z.boolean(),
    ends_at: Time,
    ended_at,
    voter_count,
    counts,
    mine: z
      .object({
        voted: z.boolean(),
        answer_ids: z.array(z.int()).optional().describe('absent in an anonymous poll, where the server does not know'),
      })
      .optional()
      .describe('the vote of the account; absent in events'),
  })
  .meta({ title: 'Poll' })
export type Poll = z.infer<typeof Poll>

/** The answers that an account votes for; none takes the vote back. */
export const Vote = z
  .strictObject({
    answer_ids: z
      .array(z.int().min(1).max(ANSWERS_MAX))
      .max(ANSWERS_MAX)
      .refine((ids) => new Set(ids).size === ids.length, 'Must not repeat an id')
      .meta({ example: [1] }),
  })
  .meta({ title: 'Vote' })

export const pollEvents = {
  'message.poll': durable(
    z.object({
      id: Id,
      channel_id: Id,
      voter_count,
      counts,
      ended_at,
      change: z
        .object({ user_id: Id, added: z.array(z.int()), removed: z.array(z.int()) })
        .optional()
        .describe('who voted, with the ids of the answers; absent in an anonymous poll and at its end'),
    }),
    (d) => `poll:${d.id}`,
    'members who see the channel; participants of a dm or group',
  ),
  'poll.mine': durable(
    z.object({
      message_id: Id,
      voted: z.boolean(),
      answer_ids: z.array(z.int()).optional().describe('absent in an anonymous poll'),
    }),
    (d) => `vote:${d.message_id}`,
    'your own sockets',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof pollEvents> {}
}

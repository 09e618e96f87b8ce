import { z } from 'zod'
import { DecimalId, Id, moment, text, Time } from '../../core/schema.ts'
import { Message } from '../messages/model.ts'

export const RESULTS_MAX = 25
const Q_MAX = 500

/** Features of a message to search for, besides words. */
export const KINDS = ['link', 'file', 'image', 'embed'] as const
export type Kind = (typeof KINDS)[number]

/** A day or a moment; a day begins at midnight UTC. */
const Moment = moment(z.union([z.iso.date(), z.iso.datetime({ offset: true })])).meta({
  type: 'string',
  example: '2026-05-05',
})

export const MessageSearch = z.object({
  q: text(0, Q_MAX)
    .default('')
    .describe(
      'words that all occur, "phrases", and -words that do not; the last word may be the beginning of one, from its ' +
        'third letter on, and where it holds no ASCII from its second',
    )
    .meta({ example: 'kingfisher "at the river" -heron' }),
  server_id: DecimalId.optional().describe('only in this server'),
  channel_id: DecimalId.optional().describe('only in this channel and its threads'),
  from: DecimalId.optional().describe('written by this account'),
  mentions: DecimalId.optional().describe('mentioning this account'),
  has: z.enum(KINDS).optional().describe('carrying one'),
  pinned: z.enum(['true', 'false']).optional().describe('pinned or not'),
  before: Moment.optional().describe('sent before'),
  after: Moment.optional().describe('sent then or later'),
  context: z
    .enum(['true', 'false'])
    .optional()
    .describe('whether each comes with the messages around it, and the one that it replies to'),
  cursor: z
    .string()
    .regex(/^\d{1,14}\.\d{1,15}$/, 'Must be the cursor of an earlier answer')
    .optional()
    .describe('of the answer before: what follows it'),
})
export type MessageSearch = z.infer<typeof MessageSearch>

const Context = z
  .object({
    before: Message.nullable().describe('the message before it'),
    after: Message.nullable().describe('the message after it'),
    reply_to: Message.nullable().describe('what it replies to; null as well where that has been deleted'),
  })
  .meta({ title: 'FoundContext' })

export const FoundMessages = z
  .object({
    messages: z.array(
      Message.extend({
        channel: z.object({ id: Id, name: z.string(), server_id: Id.nullable() }).describe('where the message is'),
        context: Context.optional().describe('only with `context=true`'),
      }),
    ),
    cursor: z.string().nullable().describe('asks for what follows; null at the end'),
  })
  .meta({ title: 'FoundMessages' })

export type FoundMessages = z.infer<typeof FoundMessages>

/** The last message of a page, with its time. */
export const Cursor = {
  of: (createdAt: z.infer<typeof Time>, id: number) => `${Date.parse(createdAt)}.${id}`,
  parse(cursor: string): { before: string; before_id: number } {
    const [ms = '', id = ''] = cursor.split('.')
    return { before: new Date(Number(ms)).toISOString(), before_id: Number(id) }
  },
}

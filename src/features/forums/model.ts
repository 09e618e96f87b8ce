import { z } from 'zod'
import { DecimalId, PublicUser, text } from '../../core/schema.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { Channel, ForumSort } from '../access/model.ts'
import { File } from '../files/model.ts'

/** Posts per page of a forum. */
export const POSTS_PER_PAGE = 25
/** Code points of the first message of a post that a list shows. */
export const BEGINNING_MAX = 300
const Q_MAX = 200

const flag = z.enum(['true', 'false'])

export const ThreadQuery = OffsetQuery.extend({
  archived: flag.optional().describe('`true`: those in the archive; a forum lists them all unless this says otherwise'),
  followed: flag.default('false').describe('`true`: only those that the caller follows'),
  tag: DecimalId.optional().describe('only of a forum: posts with this tag'),
  sort: ForumSort.optional().describe('only of a forum; its `default_sort` unless given'),
  answered: flag.optional().describe('only of a forum: posts with an answer, or without'),
  q: text(0, Q_MAX)
    .default('')
    .describe('only of a forum: words of the name or the first message, newest first, as GET /api/search reads them'),
  cursor: z
    .string()
    .regex(/^\d{1,14}\.\d{1,15}$/, 'Must be the cursor of an earlier answer')
    .optional()
    .describe('only of a forum: what follows the page before, whose Link header has it'),
})
export type ThreadQuery = z.infer<typeof ThreadQuery>

export const ListedThread = Channel.extend({
  first_message: z
    .object({
      author: PublicUser,
      content: z.string().describe(`its first ${BEGINNING_MAX} characters`),
      picture: File.nullable().describe('its first picture'),
    })
    .nullable()
    .optional()
    .describe('only in the list of a forum; null once it is deleted'),
  cursor: z.string().optional().describe('only in the list of a forum, not of a pinned post: asks for what follows it'),
}).meta({ title: 'ListedThread' })
export type ListedThread = z.infer<typeof ListedThread>

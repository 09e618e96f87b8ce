import { z } from 'zod'
import { columns } from '../../database/database.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { linkCursor } from '../../core/paging.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import { field } from '../../http/answers.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { guarded, visibleChannel } from '../access/guard.ts'
import { Channel, channelOf } from '../access/model.ts'
import { Searches } from '../search/search.ts'
import type { Sessions } from '../sessions/store.ts'
import { beginThread } from '../threads/begin.ts'
import { judgeName } from '../threads/change.ts'
import { ThreadDraft } from '../threads/model.ts'
import { beginPost } from './begin-post.ts'
import { ListedThread, ThreadQuery } from './model.ts'
import { pageOfPosts } from './posts.ts'

const tags = ['Channels']
const ChannelPath = z.object({ channel_id: DecimalId })
/** Low, because each posts a message in the channel, and may archive another thread. */
const THREADS: BucketPolicy = { name: 'threads', burst: 20, refillPerS: 0.2 }
/** Pages of forums; a person who filters by hand reads some of them a second. */
const PAGES: BucketPolicy = { name: 'posts-list', burst: 60, refillPerS: 4 }

/** Threads of channels and posts of forums: their beginning, and their lists. */
export const forumRoutes = (parts: Parts, sessions: Sessions, searches = new Searches(parts.read)) =>
  guarded(parts, sessions)
    .post(
      '/api/channels/:channel_id/threads',
      async ({ params, me, caller, body, status }) => {
        await parts.space.demand()
        await parts.limits.take(caller, THREADS, `user:${me.id}`)
        const channel = await visibleChannel(parts.sql, params.channel_id, me.id)
        if (channel.type === 'forum') {
          const { post, isRepeated } = await beginPost(parts, { ...me, caller }, channel, body)
          return status(isRepeated ? 200 : 201, post)
        }
        for (const name of ['tag_ids', 'message'] as const)
          if (body[name] !== undefined) throw field(name, 'Only in a forum')
        const settle = await judgeName(parts.judge, params.channel_id, me.id, body.name, 'create_threads')
        const thread = await parts.write((sql, emit) => beginThread(sql, emit, params.channel_id, me.id, body))
        await settle?.()
        return status(201, thread)
      },
      {
        params: ChannelPath,
        body: ThreadDraft,
        detail: {
          summary: 'Start a thread in a text or voice channel, or a post in a forum (create_threads)',
          description:
            'A post comes with its first message; 200 with the earlier post when the nonce of that message was used ' +
            'before in the forum. A person begins at most five posts an hour.',
          tags,
        },
        response: answers(
          { 200: Channel, 201: Channel },
          'thread_exists',
          'automod_blocked',
          'forbidden',
          'slowmode',
          'storage_full',
          'nonce_conflict',
          'already_attached',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/channels/:channel_id/threads',
      async ({ channel, me, caller, query, request }) => {
        const { sql } = parts
        const { id } = channel
        if (channel.type === 'forum' && query.followed === 'false') {
          await parts.limits.take(caller, PAGES, `user:${me.id}`)
          const { posts, cursor } = await pageOfPosts(sql, searches, me.id, channel, query)
          if (cursor !== undefined) callerOf(request).headers.link = linkCursor(request.url, cursor)
          return posts
        }
        const [state, order] =
          query.archived === 'true'
            ? [sql`c.archived_at is not null`, sql`c.archive_active_at`]
            : [sql`c.archived_at is null`, sql`c.active_at`]
        const follows = sql`exists (select from thread_followers f where f.channel_id = c.id and f.user_id = ${me.id})`
        const rows = await offsetList<Channel>(
          request,
          query,
          (limit, offset) => sql`select ${columns(sql, Channel, 'c')} from channels c
            where c.parent_id = ${id} and c.type = 'thread' and ${state} and c.hidden is not true
              ${query.followed === 'true' ? sql`and ${follows}` : sql``}
            order by ${order} desc, c.id desc limit ${limit} offset ${offset}`,
        )
        return rows.map(channelOf)
      },
      {
        params: ChannelPath,
        query: ThreadQuery,
        channel: 'none',
        detail: {
          summary: 'List the threads of a channel, most active first, or the posts of a forum',
          description:
            'Posts come 25 a page, pinned ones first, archived ones too, each with the beginning of its message. ' +
            'The Link header has the next page. They need read_history.',
          tags,
        },
        response: answers({ 200: z.array(ListedThread) }, ...PLACE_CODES),
      },
    )

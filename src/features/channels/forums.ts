import type { z } from 'zod'
import type { Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import { type Channel, type ChannelPatch, type ForumChange, forumDraft, type ForumTag } from '../access/model.ts'

/** Fields of a new forum unless its creator sets them. */
const DEFAULTS = {
  tags: [],
  tag_required: false,
  guidelines: '',
  default_sort: 'latest',
  layout: 'list',
  default_reaction: null,
  post_slowmode_seconds: 0,
  /** Three days. */
  archive_after_seconds: 259_200,
} as const

const OF_FORUMS = Object.keys(forumDraft) as (keyof ForumChange)[]
const OF_VOICE = ['user_limit', 'bitrate'] as const
const OF_THREADS = ['archived', 'locked', 'tag_ids', 'answer_message_id', 'pinned', 'hidden'] as const

type Change = z.infer<typeof ChannelPatch>

/** The fields of a change that concern only forums. */
export const forumChange = (change: Change): ForumChange =>
  Object.fromEntries(OF_FORUMS.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]])))

/** Demands that a channel of this type has the fields. @throws Problem `validation_failed` */
export function demandFields(type: Channel['type'], change: Change): void {
  const firstOf = (names: readonly (keyof Change)[]) => names.find((name) => change[name] !== undefined)
  const ofThread = firstOf(type === 'forum' ? OF_THREADS : [...OF_THREADS, 'archive_after_seconds'])
  if (ofThread !== undefined) throw field(ofThread, 'Only of a thread')
  const ofVoice = type === 'voice' ? undefined : firstOf(OF_VOICE)
  if (ofVoice !== undefined) throw field(ofVoice, 'Only of a voice channel')
  const ofForum = type === 'forum' ? undefined : firstOf(OF_FORUMS)
  if (ofForum !== undefined) throw field(ofForum, 'Only of a forum')
}

/**
 * The columns of a forum after a change. New tags get ids of channels: no tag ever has the id of an earlier one.
 * @param before the tags that it has
 * @throws Problem `validation_failed`
 */
export async function forumColumns(sql: Transaction, { tags, ...change }: ForumChange, before: ForumTag[]) {
  if (!tags) return change
  const knownIds = new Set(before.map(({ id }) => id))
  const ids = tags.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length) throw field('tags', 'Must not repeat an id')
  if (ids.some((id) => !knownIds.has(id))) throw field('tags', 'There is no such tag in this forum')
  const newIds = await sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('channels', 'id')) as id
    from generate_series(1, ${tags.length - ids.length}) order by 1`
  const [next, moreIds] = [newIds.values(), () => found(next.next().value, 'internal').id]
  return { ...change, tags: sql.json(tags.map(({ id, ...tag }) => ({ id: id ?? moreIds(), ...tag }))) }
}

/** The columns of a new channel that only a forum has. */
export const newForum = async (sql: Transaction, type: Channel['type'], change: ForumChange) =>
  type === 'forum' ? { ...DEFAULTS, tags: sql.json([]), ...(await forumColumns(sql, change, [])) } : {}

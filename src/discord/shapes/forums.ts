import { customEmojiId } from '../../core/emoji.ts'
import type { Channel, ForumTag } from '../../features/access/model.ts'
import type { Lookup } from '../lookup.ts'
import { goneId } from '../lookup.ts'

// Forums and their posts, which are threads.

/** Discord's flags of a channel: a post that is pinned, a forum whose posts need a tag. */
const [IS_PINNED, NEEDS_TAG] = [2, 16]
/** Discord's numbers of sort orders and layouts. Parley's order by votes has none. */
const SORTS = { latest: 0, created: 1, votes: null } as const
const LAYOUTS = { list: 1, gallery: 2 } as const

/** Tags belong to one forum, so their ids need no time. */
export const tagId = (id: number): string => goneId(id)

/** An emoji as Discord writes it in a tag and in a forum's reaction. */
const emojiFields = (of: Lookup, emoji: string | null) => {
  const id = emoji === null ? undefined : customEmojiId(emoji)
  return { emoji_id: id === undefined ? null : of.id('emoji', id), emoji_name: id === undefined ? emoji : null }
}

const tagOf = (of: Lookup, { id, name, moderated, emoji }: ForumTag) => ({
  id: tagId(id),
  name,
  moderated,
  ...emojiFields(of, emoji),
})

/** The fields of a forum. */
export const forumFields = (of: Lookup, forum: Channel) => ({
  topic: forum.guidelines || null,
  flags: forum.tag_required ? NEEDS_TAG : 0,
  available_tags: (forum.tags ?? []).map((tag) => tagOf(of, tag)),
  default_reaction_emoji: forum.default_reaction ? emojiFields(of, forum.default_reaction) : null,
  default_sort_order: SORTS[forum.default_sort ?? 'latest'],
  default_forum_layout: LAYOUTS[forum.layout ?? 'list'],
  default_thread_rate_limit_per_user: forum.post_slowmode_seconds ?? 0,
  template: '',
})

/** The fields of a post. */
export const postFields = ({ tag_ids, pinned }: Channel) =>
  tag_ids ? { applied_tags: tag_ids.map(tagId), flags: pinned ? IS_PINNED : 0 } : {}

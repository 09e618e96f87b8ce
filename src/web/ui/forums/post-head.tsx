import { follow, state } from '../../state/session.ts'
import { forumWords as says } from '../../words/forums.ts'
import { jumpTo } from '../messages/jump.ts'
import { TagLine } from './tags.tsx'

/** Tags of a post, and the way to its answer, above its messages. */
export const PostHead = ({ channel_id }: { channel_id: number }) => {
  follow('shell')
  const post = state.channels.get(channel_id)
  const tags = state.channels.get(post?.parent_id ?? 0)?.tags ?? []
  const { tag_ids = [], answer_message_id: answerId = null, hidden = false } = post ?? {}
  if (tag_ids.length === 0 && answerId === null && !hidden) return null
  return (
    <div class="post-head">
      <TagLine tags={tags} ids={tag_ids} />
      {hidden ? <span class="quiet">{says.hidden}</span> : null}
      {answerId === null ? null : (
        <button type="button" class="link" onClick={() => jumpTo(channel_id, answerId)}>
          {says.toAnswer}
        </button>
      )}
    </div>
  )
}

import type { ForumTag } from '../../../features/access/model.ts'
import { briefOf, momentOf } from '../../state/format.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { badgeOf, isUnreadAloud } from '../../state/notifications.ts'
import { plainLine } from '../../state/plain-line.ts'
import { channelPath } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { forumWords as says } from '../../words/forums.ts'
import { words } from '../../words/words.ts'
import { Badge, DraftSign } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { prefetching } from '../kit/prefetch.ts'
import { isSpoiler, shownUrl } from '../messages/media.ts'
import type { Listed } from './post-list.ts'
import { TagLine } from './tags.tsx'

interface PostRowProps {
  row: Listed & { post: ServerChannel }
  tags: ForumTag[]
  isGallery: boolean
  isHere: boolean
}

/** A post in the list of its forum: a link with all that tells whether it is worth opening. */
export const PostRow = ({ row: { post, first_message }, tags, isGallery, isHere }: PostRowProps) => {
  follow('shell')
  const { id, server_id, message_count, votes = 0, tag_ids = [], last_message_at, created_at } = post
  const name = withoutBidi(post.name)
  const mentions = badgeOf(state, post)
  const unread = isUnreadAloud(state, post) && !isHere
  const author = first_message?.author
  // Blocked people's words are folded elsewhere; here they are left out.
  const isFolded = author !== undefined && state.relations.get(author.id)?.state === 'blocked'
  const beginning = first_message && !isFolded ? plainLine(first_message.content) : ''
  const at = last_message_at ?? created_at
  return (
    <li class={`${isHere ? 'here' : ''} ${unread ? 'unread' : ''}`}>
      <a
        class="post"
        href={channelPath(server_id, id)}
        data-menu={`channel ${id}`}
        aria-current={isHere && 'page'}
        {...prefetching(id)}
      >
        {first_message?.picture && !isFolded ? <Thumbnail file={first_message.picture} isLarge={isGallery} /> : null}
        <div class="lines">
          <span class="title">
            {post.pinned ? <Icon name="pin" size={14} /> : null}
            {post.locked ? <Icon name="lock" size={14} /> : null}
            <bdi>{name}</bdi>
            <DraftSign channel_id={id} />
            <Badge count={mentions} isNamed />
          </span>
          <span class="beginning">
            {author ? (
              <>
                <bdi class="author">{nameOf(author.id, author.display_name)}</bdi>
                {': '}
              </>
            ) : null}
            <bdi>{first_message === null ? says.gone : beginning}</bdi>
          </span>
          <div class="facts quiet">
            <TagLine tags={tags} ids={tag_ids} />
            {post.answer_message_id ? <span class="answered">{says.answered}</span> : null}
            {post.hidden ? <span>{says.hidden}</span> : null}
            {votes > 0 ? <span>{says.votes(votes)}</span> : null}
            <span>{says.replies(Math.max(0, message_count - 1))}</span>
            <time dateTime={at} title={momentOf(at)}>
              {briefOf(at)}
            </time>
            {unread ? <span class="hidden">{words.messages.new}</span> : null}
          </div>
        </div>
      </a>
    </li>
  )
}

type Picture = NonNullable<NonNullable<Listed['first_message']>['picture']>

/** The first picture of a post. A spoiler stays hazy: it is revealed in the post. */
const Thumbnail = ({ file, isLarge }: { file: Picture; isLarge: boolean }) => {
  const url = shownUrl(file)
  return (
    <span class={`thumbnail ${isLarge ? 'large' : ''}`}>
      {url ? <img class={isSpoiler(file.filename) ? 'hazy' : ''} src={url} alt="" loading="lazy" /> : null}
    </span>
  )
}

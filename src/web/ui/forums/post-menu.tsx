import { call, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { forumWords as says } from '../../words/forums.ts'
import { showLater, tellRefusal } from '../kit/dialogs.tsx'
import type { MenuItem } from '../kit/menu.tsx'

/** Changes a post; says why if it stays as it was. */
const changePost = (channel_id: number, body: { pinned: boolean } | { hidden: boolean }): void =>
  tellRefusal(call('PUT /api/channels/:channel_id', { channel_id }, body).then((post) => loader.replaceThread(post)))

/** The entries of a menu that only posts have. @param mayChange true if the account may rename the post */
export function postEntries(post: ServerChannel, mayChange: boolean): MenuItem[] {
  const { id, pinned = false, hidden = false } = post
  const tags: MenuItem = {
    name: 'tags',
    icon: 'edit',
    label: says.editTags,
    run: () =>
      void showLater(async () => {
        const { PostTags } = await import('./post-tags.tsx')
        return () => <PostTags post={post} />
      }),
  }
  const pin: MenuItem = {
    name: 'pin-post',
    icon: 'pin',
    label: pinned ? says.unpin : says.pin,
    run: () => changePost(id, { pinned: !pinned }),
  }
  const hide: MenuItem = {
    name: 'hide-post',
    icon: 'hide',
    label: hidden ? says.unhide : says.hide,
    run: () => changePost(id, { hidden: !hidden }),
  }
  const hasTags = (state.channels.get(post.parent_id ?? 0)?.tags ?? []).length > 0
  return [...(mayChange && hasTags ? [tags] : []), ...(state.mayIn(post, 'manage_threads') ? [pin, hide] : [])]
}

import { useState } from 'preact/hooks'
import { call, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { forumWords as says } from '../../words/forums.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { TagChoice } from './tags.tsx'

/** The dialog that chooses the tags of a post. */
export const PostTags = ({ post }: { post: ServerChannel }) => {
  const tags = state.channels.get(post.parent_id ?? 0)?.tags ?? []
  const tagIds = new Set(tags.map(({ id }) => id))
  const [ids, setIds] = useState((post.tag_ids ?? []).filter((id) => tagIds.has(id)))
  const { attempt, busy, error } = useAttempt()
  const isModerator = state.mayIn(post, 'manage_threads')
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const changed = await attempt(() =>
      call('PUT /api/channels/:channel_id', { channel_id: post.id }, { tag_ids: ids }),
    )
    if (!changed) return
    loader.replaceThread(changed)
    closeThis()
  }
  return (
    <Dialog title={says.editTags} onClose={closeDialog} class="small">
      <form onSubmit={save}>
        <TagChoice
          label={says.tags}
          tags={tags}
          chosen={ids}
          isBarred={({ moderated }) => moderated && !isModerator}
          onToggle={(id) => setIds(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])}
        />
        <Refusal error={error} />
        <FormFooter submit={says.changes} busy={busy} />
      </form>
    </Dialog>
  )
}

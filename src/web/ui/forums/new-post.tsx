import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { channelPath, go } from '../../state/route.ts'
import { isPublic } from '../../state/public-channels.ts'
import { call, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { forumWords as says } from '../../words/forums.ts'
import { words } from '../../words/words.ts'
import { lacksNames, namesFor } from '../emoji/written-names.ts'
import { IconButton } from '../kit/controls.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { MentionField } from '../messages/mention-field.tsx'
import { PublicLine } from '../messages/public-line.tsx'
import { contentToSend } from '../messages/send-unsent.ts'
import { useUploads } from '../messages/uploads.ts'
import { emptyPost, keepPostDraft, type PostDraft, postDraftOf } from './post-draft.ts'
import { TagChoice } from './tags.tsx'

const NAME_MAX = 100
const TAGS_MAX = 5

/** The form that begins a post: its title, first message, files and tags. Half of it outlives the page. */
export const NewPost = ({ forum, onClose }: { forum: ServerChannel; onClose: () => void }) => {
  const { id: channel_id, tags = [], tag_required } = forum
  const [draft, setDraft] = useState(() => postDraftOf(channel_id))
  const box = useRef<HTMLTextAreaElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const uploads = useUploads({ channel_id }, box)
  const { files, Tray } = uploads
  const { attempt, busy, error } = useAttempt()
  const change = (part: Partial<PostDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    keepPostDraft(channel_id, next)
  }
  const { name, value, nonce } = draft
  useEffect(() => void namesFor(value.text), [value.text])
  // Before the next key: a title may be typed at once.
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])
  const tagIds = new Set(tags.map(({ id }) => id))
  const tag_ids = draft.tag_ids.filter((id) => tagIds.has(id))
  const isModerator = state.mayIn(forum, 'manage_threads')
  const toggle = (id: number) => {
    const isChosen = tag_ids.includes(id)
    if (!isChosen && tag_ids.length === TAGS_MAX) return
    change({ tag_ids: isChosen ? tag_ids.filter((each) => each !== id) : [...tag_ids, id] })
  }
  const isUploaded = files ? files.isReady : !uploads.isLoading
  const content = contentToSend(value, forum)
  const isWhole = name.trim() !== '' && (content !== '' || (files?.ids.length ?? 0) > 0)
  const isTagged = !tag_required || tag_ids.length > 0 || tags.every(({ moderated }) => moderated && !isModerator)
  const canPost = isWhole && isTagged && isUploaded && !lacksNames(value.text)
  const begin = async (event: Event) => {
    event.preventDefault()
    if (!canPost) return
    const message = { content, file_ids: files?.ids ?? [], nonce }
    const post = await attempt(() =>
      call('POST /api/channels/:channel_id/threads', { channel_id }, { name, tag_ids, message }),
    )
    if (!post) return
    files?.clear()
    keepPostDraft(channel_id, emptyPost())
    state.followed.add(post.id)
    loader.addChannel(post)
    onClose()
    go(channelPath(forum.server_id, post.id))
  }
  const discard = () => {
    files?.clear()
    keepPostDraft(channel_id, emptyPost())
    onClose()
  }
  return (
    <form ref={form} class="new-post" onSubmit={begin} aria-label={says.newPost}>
      <Field label={says.title} value={name} onInput={(next) => change({ name: next })} maxLength={NAME_MAX} required />
      {uploads.dragging ? <p class="drop">{words.files.drop}</p> : null}
      <MentionField
        box={box}
        channel={forum}
        label={says.text}
        placeholder={says.text}
        value={value}
        onChange={(next) => change({ value: next })}
        onKeyDown={() => {}}
        onPaste={uploads.onPaste}
      />
      {files && Tray ? <Tray files={files} /> : null}
      {tags.length > 0 ? (
        <TagChoice
          label={says.tags}
          tags={tags}
          chosen={tag_ids}
          isBarred={({ moderated }) => moderated && !isModerator}
          onToggle={toggle}
        />
      ) : null}
      {isTagged ? null : <p class="quiet">{says.tagNeeded}</p>}
      {isPublic(state, forum) ? <PublicLine /> : null}
      <Refusal error={error} />
      <FormFooter submit={says.publish} busy={busy || !canPost}>
        <IconButton icon="add" size={20} label={words.files.add} onClick={uploads.choose} />
        <button type="button" onClick={discard}>
          {says.discard}
        </button>
      </FormFooter>
    </form>
  )
}

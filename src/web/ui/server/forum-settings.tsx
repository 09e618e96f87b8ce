import { useState } from 'preact/hooks'
import type { ForumTag } from '../../../features/access/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { forumWords } from '../../words/forums.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { FormFooter, SelectField, Switch } from '../kit/dialog-forms.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { SlowmodeField } from './slowmode-field.tsx'

const says = forumWords.settings
const TAGS_MAX = 20
const NAME_MAX = 20
const GUIDELINES_MAX = 2_000
const SORTS = ['latest', 'created', 'votes'] as const

/** A tag in the form; a new one has no id yet. */
type EditedTag = Omit<ForumTag, 'id'> & { id?: number }

/** The settings that only a forum has. */
export const ForumSettings = ({ forum }: { forum: ServerChannel }) => {
  const [tags, setTags] = useState<EditedTag[]>(forum.tags ?? [])
  const [tag_required, setRequired] = useState(forum.tag_required ?? false)
  const [guidelines, setGuidelines] = useState(forum.guidelines ?? '')
  const [default_sort, setSort] = useState(forum.default_sort ?? 'latest')
  const [layout, setLayout] = useState(forum.layout ?? 'list')
  const [reaction, setReaction] = useState(forum.default_reaction ?? '')
  const [post_slowmode_seconds, setSlowmode] = useState(forum.post_slowmode_seconds ?? 0)
  const { attempt, busy, error } = useAttempt()
  const fields = { tags, tag_required, guidelines, default_sort, layout, reaction, post_slowmode_seconds }
  const markSaved = useUnsaved(Object.values(fields))
  const save = async (event: Event) => {
    event.preventDefault()
    const default_reaction = reaction.trim() === '' ? null : reaction.trim()
    const named = tags.filter(({ name }) => name.trim() !== '')
    const change = { tag_required, guidelines, default_sort, layout, post_slowmode_seconds, default_reaction }
    const saved = await attempt(() =>
      call('PUT /api/channels/:channel_id', { channel_id: forum.id }, { ...change, tags: named }),
    )
    if (!saved) return
    setTags(saved.tags ?? [])
    markSaved()
    showNote(words.saved)
  }
  const change = (at: number, part: Partial<EditedTag>) =>
    setTags(tags.map((tag, each) => (each === at ? { ...tag, ...part } : tag)))
  return (
    <form onSubmit={save}>
      <fieldset class="forum-tags">
        <legend>{says.tags}</legend>
        {tags.map((tag, at) => (
          <div key={tag.id ?? `new ${at}`} class="forum-tag">
            <input
              aria-label={says.tagEmoji}
              value={tag.emoji ?? ''}
              maxLength={64}
              onInput={({ currentTarget: { value } }) => change(at, { emoji: value === '' ? null : value })}
            />
            <input
              aria-label={says.tagName}
              value={tag.name}
              maxLength={NAME_MAX}
              required
              onInput={({ currentTarget: { value } }) => change(at, { name: value })}
            />
            <Switch label={says.moderated} on={tag.moderated} onChange={(moderated) => change(at, { moderated })} />
            <IconButton
              icon="close"
              size={16}
              label={says.remove(withoutBidi(tag.name))}
              onClick={() => setTags(tags.filter((_, each) => each !== at))}
            />
          </div>
        ))}
        {tags.length < TAGS_MAX ? (
          <button type="button" onClick={() => setTags([...tags, { name: '', emoji: null, moderated: false }])}>
            {says.add}
          </button>
        ) : null}
      </fieldset>
      <Switch label={says.required} on={tag_required} onChange={setRequired} />
      <Field
        label={forumWords.guidelines}
        hint={says.guidelinesHint}
        value={guidelines}
        onInput={setGuidelines}
        maxLength={GUIDELINES_MAX}
        multiline
      />
      <SelectField
        label={forumWords.sort.label}
        value={default_sort}
        options={SORTS.map((sort) => [sort, forumWords.sort[sort]])}
        onChange={setSort}
      />
      <SelectField
        label={says.layout}
        value={layout}
        options={(['list', 'gallery'] as const).map((each) => [each, says[each]])}
        onChange={setLayout}
      />
      <Field label={says.reaction} hint={says.reactionHint} value={reaction} onInput={setReaction} maxLength={64} />
      <SlowmodeField
        label={says.slowmode}
        channel={{ slowmode_seconds: forum.post_slowmode_seconds ?? 0 }}
        value={post_slowmode_seconds}
        onChange={setSlowmode}
      />
      <Refusal error={error} />
      <FormFooter submit={words.save} busy={busy} />
    </form>
  )
}

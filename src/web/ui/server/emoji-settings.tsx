import { useState } from 'preact/hooks'
import type { CustomEmoji } from '../../../features/emoji/model.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { EmojiImage } from '../emoji/emoji.tsx'
import { choosePicture } from '../kit/choose-picture.ts'
import { IconButton } from '../kit/controls.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { Empty } from '../kit/empty.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'

const EMOJI_MAX = 250
const NAME_MAX = 32
const TYPES = 'image/png,image/webp,image/gif,image/avif'

/** A name that a file may give an emoji. */
const nameFrom = (filename: string): string =>
  filename
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, NAME_MAX)

/** The custom emoji of a server: add, rename and delete. */
export const EmojiSettings = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const [name, setName] = useState('')
  const { attempt, busy, error } = useAttempt()
  const emoji = [...state.emoji.values()]
    .filter((one) => one.server_id === server_id)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const add = (event: Event) => {
    event.preventDefault()
    const make = (file_id: number, filename: string) =>
      call('POST /api/servers/:server_id/emoji', { server_id }, { name: name || nameFrom(filename), file_id }).then(
        () => setName(''),
      )
    choosePicture(make, attempt, TYPES)
  }
  return (
    <>
      <form onSubmit={add}>
        <p class="quiet">{settingsWords.emoji.hint}</p>
        <p class="quiet">{settingsWords.emoji.counted({ n: emoji.length, max: EMOJI_MAX })}</p>
        <Field
          label={settingsWords.emoji.name}
          value={name}
          onInput={(value) => setName(value.toLowerCase())}
          maxLength={NAME_MAX}
          hint={settingsWords.emoji.nameHint}
        />
        <Refusal error={error} says={{ ...settingsWords.assets, ...settingsWords.emoji.problems }} />
        <FormFooter submit={settingsWords.emoji.upload} busy={busy} />
      </form>
      {emoji.length === 0 ? (
        <Empty icon="smile" title={settingsWords.emoji.empty} text={settingsWords.emoji.emptyText} />
      ) : null}
      <ul class="table emoji-list">
        {emoji.map((one) => (
          <EmojiRow key={one.id} emoji={one} />
        ))}
      </ul>
    </>
  )
}

const EmojiRow = ({ emoji }: { emoji: CustomEmoji }) => {
  const [name, setName] = useState(emoji.name)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(name)
  const path = { emoji_id: emoji.id }
  const rename = async (event: Event) => {
    event.preventDefault()
    if (name === emoji.name) return
    if (await attempt(() => call('PUT /api/emoji/:emoji_id', path, { name }))) markSaved()
  }
  const remove = () =>
    askToConfirm({
      title: settingsWords.emoji.delete(`:${emoji.name}:`),
      text: settingsWords.emoji.deleteText,
      action: settingsWords.emoji.delete(`:${emoji.name}:`),
      work: () => call('DELETE /api/emoji/:emoji_id', path),
    })
  return (
    <li>
      <form class="row" onSubmit={rename}>
        <EmojiImage url={emoji.url} title="" />
        <input
          aria-label={settingsWords.emoji.rename(`:${emoji.name}:`)}
          value={name}
          maxLength={NAME_MAX}
          onInput={(event) => setName(event.currentTarget.value.toLowerCase())}
        />
        <small>
          <bdi>{nameOf(emoji.creator_id, '')}</bdi>
        </small>
        {name === emoji.name ? null : (
          <button class="primary" disabled={busy}>
            {words.save}
          </button>
        )}
        <IconButton icon="trash" size={18} label={settingsWords.emoji.delete(`:${emoji.name}:`)} onClick={remove} />
      </form>
      <Refusal error={error} says={settingsWords.emoji.problems} />
    </li>
  )
}

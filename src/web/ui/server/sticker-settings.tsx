import { useEffect, useState } from 'preact/hooks'
import type { Sticker } from '../../../features/stickers/model.ts'
import { sizeOf } from '../../state/format.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { stickerWords } from '../../words/stickers.ts'
import { words } from '../../words/words.ts'
import { StickerPicture } from '../emoji/sticker-view.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { choosePicture } from '../kit/choose-picture.ts'
import { IconButton } from '../kit/controls.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'

const STICKERS_MAX = 60
const NAME_MAX = 30
const ALT_MAX = 200
const TYPES = 'image/png,image/apng,image/webp,image/gif'

/** The bytes that the pictures and sounds of a server take, fetched again with every change. */
function useSpace(server_id: number, changes: string) {
  const [space, setSpace] = useState<{ bytes: number; bytes_max: number }>()
  useEffect(() => {
    void call('GET /api/servers/:server_id/assets', { server_id }).then(setSpace, () => {})
  }, [server_id, changes])
  return space
}

/** The stickers of a server: add, change and delete. */
export const StickerSettings = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const [name, setName] = useState('')
  const [alt, setAlt] = useState('')
  const { attempt, busy, error } = useAttempt()
  const stickers = [...state.stickers.values()]
    .filter((one) => one.server_id === server_id)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const space = useSpace(server_id, stickers.map(({ id }) => id).join())
  const add = (event: Event) => {
    event.preventDefault()
    const make = (file_id: number) =>
      call('POST /api/servers/:server_id/stickers', { server_id }, { name, alt, file_id }).then(() => {
        setName('')
        setAlt('')
      })
    choosePicture(make, attempt, TYPES)
  }
  return (
    <>
      <form onSubmit={add}>
        <p class="quiet">{stickerWords.hint}</p>
        <p class="quiet">{stickerWords.counted({ n: stickers.length, max: STICKERS_MAX })}</p>
        {space ? (
          <p class="quiet">{stickerWords.space({ used: sizeOf(space.bytes), max: sizeOf(space.bytes_max) })}</p>
        ) : null}
        <Field label={stickerWords.name} value={name} onInput={setName} maxLength={NAME_MAX} required />
        <Field
          label={stickerWords.alt}
          value={alt}
          onInput={setAlt}
          maxLength={ALT_MAX}
          hint={stickerWords.altHint}
          required
        />
        <Refusal error={error} says={stickerWords.problems} />
        <FormFooter submit={stickerWords.upload} busy={busy} />
      </form>
      {stickers.length === 0 ? <Empty icon="smile" title={stickerWords.empty} text={stickerWords.emptyText} /> : null}
      <ul class="table sticker-list">
        {stickers.map((one) => (
          <StickerRow key={one.id} sticker={one} />
        ))}
      </ul>
    </>
  )
}

const StickerRow = ({ sticker }: { sticker: Sticker }) => {
  const [name, setName] = useState(sticker.name)
  const [alt, setAlt] = useState(sticker.alt)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(`${name}\n${alt}`)
  const path = { sticker_id: sticker.id }
  const isChanged = name !== sticker.name || alt !== sticker.alt
  const save = async (event: Event) => {
    event.preventDefault()
    if (!isChanged) return
    if (await attempt(() => call('PUT /api/stickers/:sticker_id', path, { name, alt }))) markSaved()
  }
  const remove = () =>
    askToConfirm({
      title: stickerWords.delete(sticker.name),
      text: stickerWords.deleteText,
      action: stickerWords.delete(sticker.name),
      work: () => call('DELETE /api/stickers/:sticker_id', path),
    })
  return (
    <li>
      <form class="row" aria-label={stickerWords.edit(sticker.name)} onSubmit={save}>
        <StickerPicture sticker={sticker} />
        <span class="texts">
          <input
            aria-label={stickerWords.name}
            value={name}
            minLength={2}
            maxLength={NAME_MAX}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <input
            aria-label={stickerWords.alt}
            value={alt}
            maxLength={ALT_MAX}
            onInput={(event) => setAlt(event.currentTarget.value)}
          />
          <small>
            <bdi>{nameOf(sticker.creator_id, '')}</bdi>
          </small>
        </span>
        {isChanged ? (
          <button class="primary" disabled={busy}>
            {words.save}
          </button>
        ) : null}
        <IconButton icon="trash" size={18} label={stickerWords.delete(sticker.name)} onClick={remove} />
      </form>
      <Refusal error={error} says={stickerWords.problems} />
    </li>
  )
}

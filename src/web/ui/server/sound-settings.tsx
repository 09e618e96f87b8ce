import { useEffect, useState } from 'preact/hooks'
import type { Sound } from '../../../features/sounds/model.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { call, follow } from '../../state/session.ts'
import { upload } from '../../state/upload.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { chooseFiles } from '../kit/choose-files.ts'
import { IconButton } from '../kit/controls.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'

const says = settingsWords.sounds
const SOUNDS_MAX = 24
const NAME_MAX = 32
const EMOJI_MAX = 40
const TYPES = 'audio/ogg,.ogg,.opus'
const PAGE = 100

/** The sounds of a server: add, rename and delete. */
export const SoundSettings = ({ server_id }: { server_id: number }) => {
  follow('members')
  const [sounds, setSounds] = useState<Sound[]>([])
  const [name, setName] = useState('')
  const [emoji, setEmoji] = useState('')
  const { attempt, busy, error } = useAttempt()
  useEffect(() => {
    const path = { server_id, limit: PAGE }
    void attempt(() => call('GET /api/servers/:server_id/sounds', path)).then((all) => setSounds(all ?? []))
  }, [server_id])
  const make = async (file: File) => {
    // Some browsers know no type for .opus.
    const audioFile = new File([file], file.name, { type: 'audio/ogg' })
    const { id: file_id } = await upload(audioFile, () => {}, new AbortController().signal)
    const fallback = file.name.replace(/\.\w+$/, '').slice(0, NAME_MAX)
    const body = { name: name.trim() || fallback, emoji: emoji.trim() || null, file_id }
    const sound = await call('POST /api/servers/:server_id/sounds', { server_id }, body)
    setSounds((before) => [...before, sound])
    setName('')
    setEmoji('')
  }
  const add = (event: Event) => {
    event.preventDefault()
    chooseFiles({ accept: TYPES }, ([file]) => {
      if (file) void attempt(() => make(file))
    })
  }
  return (
    <>
      <form onSubmit={add}>
        <p class="quiet">{says.hint}</p>
        <p class="quiet">{says.counted({ n: sounds.length, max: SOUNDS_MAX })}</p>
        <Field label={says.name} value={name} onInput={setName} maxLength={NAME_MAX} />
        <Field label={says.emoji} value={emoji} onInput={setEmoji} maxLength={EMOJI_MAX} />
        <Refusal error={error} says={settingsWords.assets} />
        <FormFooter submit={says.upload} busy={busy} />
      </form>
      {sounds.length === 0 && !busy ? <Empty icon="voice" title={says.empty} text={says.emptyText} /> : null}
      <ul class="table emoji-list sound-list">
        {sounds.map((sound) => (
          <SoundRow
            key={sound.id}
            sound={sound}
            onChanged={(changed) => setSounds((before) => before.map((one) => (one.id === changed.id ? changed : one)))}
            onDeleted={() => setSounds((before) => before.filter(({ id }) => id !== sound.id))}
          />
        ))}
      </ul>
    </>
  )
}

interface SoundRowProps {
  sound: Sound
  onChanged: (sound: Sound) => void
  onDeleted: () => void
}

const SoundRow = ({ sound, onChanged, onDeleted }: SoundRowProps) => {
  const [name, setName] = useState(sound.name)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(name)
  const path = { sound_id: sound.id }
  const shownName = withoutBidi(sound.name)
  const rename = async (event: Event) => {
    event.preventDefault()
    if (name === sound.name) return
    const changed = await attempt(() => call('PUT /api/sounds/:sound_id', path, { name }))
    if (!changed) return
    markSaved()
    onChanged(changed)
  }
  const remove = () =>
    askToConfirm({
      title: says.delete(shownName),
      text: says.deleteText,
      action: says.delete(shownName),
      work: async () => {
        await call('DELETE /api/sounds/:sound_id', path)
        return onDeleted
      },
    })
  return (
    <li>
      <form class="row" onSubmit={rename}>
        <span aria-hidden="true">{sound.emoji}</span>
        <input
          aria-label={says.rename(shownName)}
          value={name}
          maxLength={NAME_MAX}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <small>
          <bdi>{nameOf(sound.creator_id, '')}</bdi>
        </small>
        {name === sound.name ? null : (
          <button class="primary" disabled={busy}>
            {words.save}
          </button>
        )}
        <IconButton
          icon="play"
          size={18}
          label={says.listen(shownName)}
          onClick={() => void new Audio(sound.url).play().catch(() => {})}
        />
        <IconButton icon="trash" size={18} label={says.delete(shownName)} onClick={() => void remove()} />
      </form>
      <Refusal error={error} />
    </li>
  )
}

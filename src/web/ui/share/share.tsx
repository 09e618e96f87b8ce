import { useState } from 'preact/hooks'
import { dropKept, readKept } from '../../device/kept.ts'
import type { Shared } from '../../device/shared.ts'
import { sizeOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { go, placePath } from '../../state/route.ts'
import { follow, outbox } from '../../state/session.ts'
import { upload } from '../../state/upload.ts'
import { deviceWords } from '../../words/device.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showDialog } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { channelFor, PlaceChoice, type Target } from '../messages/place-choice.tsx'

const isShared = (value: unknown): value is Shared =>
  typeof value === 'object' && value !== null && 'text' in value && 'files' in value && Array.isArray(value.files)

/** Asks for the destination of content that another program shared. */
export async function showShared(): Promise<void> {
  const shared = await readKept('shared')
  history.replaceState(null, '', location.pathname)
  if (!isShared(shared)) return
  await dropKept('shared')
  showDialog(() => <Share shared={shared} />)
}

const Share = ({ shared }: { shared: Shared }) => {
  follow('shell', 'members')
  const [text, setText] = useState(shared.text)
  const [chosen, setChosen] = useState<Target>()
  const { attempt, busy, error } = useAttempt()
  // The shared content exists nowhere else.
  const { close } = useUnsavedDialog(text, busy, true)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!chosen) return
    const channel_id = await attempt(async () => {
      const { signal } = new AbortController()
      const files = await Promise.all(shared.files.map((file) => upload(file, () => {}, signal)))
      const place = { channel_id: await channelFor(chosen) }
      outbox.send(place, { content: text.trim(), file_ids: files.map(({ id }) => id), reply_to_id: null })
      return place.channel_id
    })
    if (channel_id === undefined) return
    closeDialog()
    go(placePath(channel_id))
  }
  const isEmpty = text.trim() === '' && shared.files.length === 0
  return (
    <Dialog title={deviceWords.share.title} onClose={close} class="small">
      <form onSubmit={submit}>
        {shared.files.length > 0 ? (
          <ul class="shared-files">
            {shared.files.map((file, at) => (
              <li key={at}>
                <bdi>{withoutBidi(file.name)}</bdi> <small class="quiet">{sizeOf(file.size)}</small>
              </li>
            ))}
          </ul>
        ) : null}
        {shared.left_out > 0 ? <p class="quiet">{deviceWords.share.leftOut(shared.left_out)}</p> : null}
        <Field label={deviceWords.share.text} value={text} onInput={setText} maxLength={4000} />
        <PlaceChoice chosen={chosen} onChoose={setChosen} />
        <Refusal error={error} />
        <FormFooter submit={deviceWords.share.send} busy={busy || !chosen || isEmpty} />
      </form>
    </Dialog>
  )
}

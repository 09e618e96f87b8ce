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
import { showDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { channelFor, PlaceChoice, type Target } from '../messages/place-choice.tsx'

const isShared = (value: unknown): value is Shared =>
  typeof value === 'object' && value !== null && 'text' in value && 'files' in value && Array.isArray(value.files)

/** Asks for the destination of content that another program shared. */
export async function showShared(): Promise<void> {
  const content = await readKept('shared')
  history.replaceState(null, '', location.pathname)
  if (!isShared(content)) return
  await dropKept('shared')
  showDialog(() => <Share content={content} />)
}

const Share = ({ content }: { content: Shared }) => {
  follow('shell', 'members')
  const [text, setText] = useState(content.text)
  const [target, setTarget] = useState<Target>()
  const { attempt, busy, error } = useAttempt()
  // The shared content exists nowhere else.
  const { close } = useUnsavedDialog(text, busy, true)
  const submit = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    if (!target) return
    const channelId = await attempt(async () => {
      const { signal } = new AbortController()
      const files = await Promise.all(content.files.map((file) => upload(file, () => {}, signal)))
      const place = { channel_id: await channelFor(target) }
      outbox.send(place, { content: text.trim(), file_ids: files.map(({ id }) => id), reply_to_id: null })
      return place.channel_id
    })
    if (channelId === undefined) return
    closeThis()
    go(placePath(channelId))
  }
  const isEmpty = text.trim() === '' && content.files.length === 0
  return (
    <Dialog title={deviceWords.share.title} onClose={close} class="small">
      <form onSubmit={submit}>
        {content.files.length > 0 ? (
          <ul class="shared-files">
            {content.files.map((file, at) => (
              <li key={at}>
                <bdi>{withoutBidi(file.name)}</bdi> <small class="quiet">{sizeOf(file.size)}</small>
              </li>
            ))}
          </ul>
        ) : null}
        {content.left_out > 0 ? <p class="quiet">{deviceWords.share.leftOut(content.left_out)}</p> : null}
        <Field label={deviceWords.share.text} value={text} onInput={setText} maxLength={4000} />
        <PlaceChoice target={target} onChoose={setTarget} />
        <Refusal error={error} />
        <FormFooter submit={deviceWords.share.send} busy={busy || !target || isEmpty} />
      </form>
    </Dialog>
  )
}

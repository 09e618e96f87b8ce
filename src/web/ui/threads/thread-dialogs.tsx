import { useState } from 'preact/hooks'
import { expectChannel } from '../../state/expected.ts'
import { channelPath, go } from '../../state/route.ts'
import { call, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { SlowmodeField } from '../server/slowmode-field.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

const NAME_MAX = 100

/** The dialog that begins a thread, at a message or at none. */
export const NewThread = (props: { channel_id: number; message_id?: number; name?: string }) => {
  const { channel_id, message_id } = props
  const [name, setName] = useState(props.name ?? '')
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(name, busy)
  const begin = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const draft = { name, ...(message_id === undefined ? {} : { message_id }) }
    const thread = await attempt(() => call('POST /api/channels/:channel_id/threads', { channel_id }, draft))
    if (!thread) return
    state.followed.add(thread.id)
    loader.addChannel(thread)
    closeThis()
    go(channelPath(thread.server_id ?? 0, thread.id))
  }
  return (
    <Dialog title={actionWords.threads.begin} onClose={close} class="small">
      <form onSubmit={begin}>
        <Field
          label={dialogWords.threads.name}
          value={name}
          onInput={setName}
          maxLength={NAME_MAX}
          required
          autofocus
        />
        <Refusal error={error} says={{ thread_exists: dialogWords.threads.exists }} />
        <FormFooter submit={actionWords.threads.begin} busy={busy} />
      </form>
    </Dialog>
  )
}

/** The dialog that renames a thread; who manages threads also sets its slowmode, and when it is archived. */
export const ThreadSettings = ({ thread }: { thread: ServerChannel }) => {
  const [name, setName] = useState(thread.name)
  const [span, setSpan] = useState(thread.archive_after_seconds ?? 0)
  const [slowmode_seconds, setSlowmode] = useState(thread.slowmode_seconds)
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog([name, span, slowmode_seconds], busy)
  const manages = state.mayIn(thread, 'manage_threads')
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const archive_after_seconds = ARCHIVE_SPANS.find((each) => each === span)
    const isArchivedElse = archive_after_seconds !== undefined && span !== thread.archive_after_seconds
    const change = {
      name,
      ...(isArchivedElse ? { archive_after_seconds } : {}),
      ...(slowmode_seconds === thread.slowmode_seconds ? {} : { slowmode_seconds }),
    }
    const answer = await attempt(() =>
      expectChannel(thread.id, change, () => call('PUT /api/channels/:channel_id', { channel_id: thread.id }, change)),
    )
    if (!answer) return
    loader.replaceThread(answer)
    closeThis()
  }
  return (
    <Dialog title={manages ? actionWords.threads.settings : actionWords.threads.rename} onClose={close} class="small">
      <form onSubmit={save}>
        <Field
          label={dialogWords.threads.name}
          value={name}
          onInput={setName}
          maxLength={NAME_MAX}
          required
          autofocus
        />
        {manages ? (
          <>
            <SelectField
              label={dialogWords.threads.archiveAfter}
              value={span}
              options={ARCHIVE_SPANS.map((each) => [each, dialogWords.threads.spans[each]])}
              onChange={setSpan}
            />
            <SlowmodeField channel={thread} value={slowmode_seconds} onChange={setSlowmode} />
          </>
        ) : null}
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy} />
      </form>
    </Dialog>
  )
}

const ARCHIVE_SPANS = [3_600, 86_400, 259_200, 604_800] as const

import { useState } from 'preact/hooks'
import { knownNameOf } from '../../state/names.ts'
import { channelPath, go } from '../../state/route.ts'
import { call, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { closeDialog, Dialog, showDialog } from '../kit/dialogs.tsx'
import { Field, FormFooter, Refusal, SelectField, useAttempt } from '../kit/forms.tsx'
import { plainText } from '../messages/plain-text.ts'

const NAME_MAX = 100
/** So much of a message makes the first suggestion of a name. */
const SUGGESTED_MAX = 50

/** Whether the account may begin a thread in a channel. */
export const mayBegin = (channel_id: number): boolean => {
  const channel = state.channels.get(channel_id)
  return (channel?.type === 'text' || channel?.type === 'voice') && state.mayIn(channel, 'create_threads')
}

/** Opens the thread that began at a message, or the dialog that begins one there. */
export function openThread(entry: Entry): void {
  const server_id = state.channels.get(entry.channel_id)?.server_id
  if (entry.thread && server_id) return go(channelPath(server_id, entry.thread.id))
  const [line = ''] = plainText(entry.content, knownNameOf).trim().split('\n')
  const name = [...line].slice(0, SUGGESTED_MAX).join('')
  showDialog(() => <NewThread channel_id={entry.channel_id} message_id={entry.id} name={name} />)
}

/** The dialog that begins a thread, at a message or at none. */
export const NewThread = (props: { channel_id: number; message_id?: number; name?: string }) => {
  const { channel_id, message_id } = props
  const [name, setName] = useState(props.name ?? '')
  const { attempt, busy, error } = useAttempt()
  const begin = async (event: Event) => {
    event.preventDefault()
    const draft = { name, ...(message_id === undefined ? {} : { message_id }) }
    const thread = await attempt(() => call('POST /api/channels/:channel_id/threads', { channel_id }, draft))
    if (!thread) return
    state.followed.add(thread.id)
    loader.addChannel(thread)
    closeDialog()
    go(channelPath(thread.server_id ?? 0, thread.id))
  }
  return (
    <Dialog title={words.threads.begin} onClose={closeDialog} class="small">
      <form onSubmit={begin}>
        <Field label={words.threads.name} value={name} onInput={setName} maxLength={NAME_MAX} required autofocus />
        <Refusal error={error} says={{ thread_exists: words.threads.exists }} />
        <FormFooter submit={words.threads.begin} busy={busy} />
      </form>
    </Dialog>
  )
}

/** The dialog that renames a thread; who manages threads also says after how long it is archived. */
export const RenameThread = ({ thread }: { thread: ServerChannel }) => {
  const [name, setName] = useState(thread.name)
  const [span, setSpan] = useState(thread.archive_after_seconds ?? 0)
  const { attempt, busy, error } = useAttempt()
  const manages = state.mayIn(thread, 'manage_threads')
  const save = async (event: Event) => {
    event.preventDefault()
    const archive_after_seconds = ARCHIVE_SPANS.find((each) => each === span)
    const isChanged = manages && archive_after_seconds !== undefined && span !== thread.archive_after_seconds
    const change = { name, ...(isChanged ? { archive_after_seconds } : {}) }
    const saved = await attempt(() => call('PUT /api/channels/:channel_id', { channel_id: thread.id }, change))
    if (!saved) return
    loader.replaceThread(saved)
    closeDialog()
  }
  return (
    <Dialog title={words.threads.rename} onClose={closeDialog} class="small">
      <form onSubmit={save}>
        <Field label={words.threads.name} value={name} onInput={setName} maxLength={NAME_MAX} required autofocus />
        {manages ? (
          <SelectField
            label={words.threads.archiveAfter}
            value={span}
            options={ARCHIVE_SPANS.map((each) => [each, words.threads.spans[each]])}
            onChange={setSpan}
          />
        ) : null}
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy} />
      </form>
    </Dialog>
  )
}

const ARCHIVE_SPANS = [3_600, 86_400, 259_200, 604_800] as const

import { useState } from 'preact/hooks'
import { call, loader } from '../../state/session.ts'
import { channelPath, go } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { Dialog, Field, Refusal, useAttempt } from '../kit/controls.tsx'
import { dismiss } from '../kit/dialogs.tsx'

/** Makes a server, or joins one by its invite. */
export const NewServer = () => {
  const [name, setName] = useState('')
  const [link, setLink] = useState('')
  const { attempt, busy, error } = useAttempt()
  const create = async (event: Event) => {
    event.preventDefault()
    const server = await attempt(() => call('POST /api/servers', {}, { name }))
    if (!server) return
    loader.addServer(server)
    dismiss()
    go(channelPath(server.id))
  }
  const join = (event: Event) => {
    event.preventDefault()
    dismiss()
    go(`/invite/${/([0-9a-z]+)\/?$/.exec(link.trim())?.[1] ?? ''}`)
  }
  return (
    <Dialog title={words.servers.add} onClose={dismiss} class="small">
      <form onSubmit={create}>
        <Field
          label={words.servers.name}
          value={name}
          onInput={setName}
          maxLength={100}
          placeholder={words.servers.example}
          required
          autofocus
        />
        <Refusal error={error} />
        <footer>
          <button class="primary" disabled={busy}>
            {words.servers.create}
          </button>
        </footer>
      </form>
      <hr />
      <form onSubmit={join}>
        <Field label={words.invite.have} value={link} onInput={setLink} placeholder={words.invite.example} required />
        <footer>
          <button>{words.invite.look}</button>
        </footer>
      </form>
    </Dialog>
  )
}

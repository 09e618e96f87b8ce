import { useState } from 'preact/hooks'
import { call, loader } from '../../state/session.ts'
import { channelPath, go } from '../../state/route.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { closeDialog, Dialog } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'

/** The dialog that creates a server, or opens an invite. */
export const NewServer = () => {
  const [name, setName] = useState('')
  const [link, setLink] = useState('')
  const { attempt, busy, error } = useAttempt()
  const create = async (event: Event) => {
    event.preventDefault()
    const server = await attempt(() => call('POST /api/servers', {}, { name }))
    if (!server) return
    loader.addServer(server)
    closeDialog()
    go(channelPath(server.id))
  }
  const join = (event: Event) => {
    event.preventDefault()
    closeDialog()
    go(`/invite/${/([0-9a-z]+)\/?$/.exec(link.trim())?.[1] ?? ''}`)
  }
  return (
    <Dialog title={words.servers.add} onClose={closeDialog} class="small">
      <form onSubmit={create}>
        <Field
          label={words.servers.name}
          value={name}
          onInput={setName}
          maxLength={100}
          placeholder={dialogWords.servers.example}
          required
          autofocus
        />
        <Refusal error={error} />
        <FormFooter submit={dialogWords.servers.create} busy={busy} />
      </form>
      <hr />
      <form onSubmit={join}>
        <Field
          label={dialogWords.invite.have}
          value={link}
          onInput={setLink}
          placeholder={dialogWords.invite.example}
          required
        />
        <footer>
          <button>{dialogWords.invite.open}</button>
        </footer>
      </form>
    </Dialog>
  )
}

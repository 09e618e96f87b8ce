import { useEffect, useState } from 'preact/hooks'
import type { Passkey } from '../../../features/passkeys/model.ts'
import { momentOf } from '../../state/format.ts'
import { call } from '../../state/session.ts'
import { securityWords } from '../../words/security.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { showDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { knowsPasskeys, makePasskey } from './passkeys.ts'
import { withProof } from './proof.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

const { passkeys: says } = securityWords

interface NameDialogProps {
  title: string
  name: string
  /** Sends the name; its error is shown in the dialog. Undefined: no proof was given. */
  work: (name: string) => Promise<unknown>
}

const NameDialog = ({ title, name: before, work }: NameDialogProps) => {
  const [name, setName] = useState(before)
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(name, busy)
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    if (await attempt(() => work(name))) closeThis()
  }
  return (
    <Dialog title={title} onClose={close} class="small">
      <form onSubmit={save}>
        <Field
          label={says.name}
          value={name}
          onInput={setName}
          hint={says.nameHint}
          maxLength={64}
          required
          autofocus
        />
        <Refusal error={error} says={securityWords.problems} />
        <FormFooter submit={words.save} busy={busy} />
      </form>
    </Dialog>
  )
}

/** The account's passkeys: adding, renaming and removing them. */
export const PasskeyList = ({ reload }: { reload: () => void }) => {
  const [passkeys, setPasskeys] = useState<Passkey[]>()
  const { attempt, error } = useAttempt()
  const load = () => attempt(() => call('GET /api/auth/passkeys')).then((rows) => rows && setPasskeys(rows))
  useEffect(() => void load(), [])
  const afterChange = <T,>(value: T): T => {
    void load()
    reload()
    return value
  }
  const add = (name: string) =>
    withProof(async () => {
      const passkey = await makePasskey(await call('POST /api/auth/passkeys/options'))
      return afterChange(await call('POST /api/auth/passkeys', {}, { name, passkey }))
    })
  const rename = (passkey_id: number) => (name: string) =>
    withProof(async () => afterChange(await call('PUT /api/auth/passkeys/:passkey_id', { passkey_id }, { name })))
  const remove = (passkey_id: number) =>
    withProof(async () => afterChange(await call('DELETE /api/auth/passkeys/:passkey_id', { passkey_id })))
  const askName = (title: string, name: string, work: NameDialogProps['work']) =>
    showDialog(() => <NameDialog title={title} name={name} work={work} />)
  const askToRemove = ({ id, name }: Passkey) =>
    askToConfirm({
      title: says.removeOf(name),
      text: says.removeText(name),
      action: says.remove,
      work: () => remove(id),
    })
  return (
    <section aria-label={says.title}>
      <h3>{says.title}</h3>
      <p class="quiet">{says.text}</p>
      <Refusal error={error} says={securityWords.problems} />
      <ul class="table">
        {passkeys?.map((passkey) => (
          <li key={passkey.id} class="row">
            <span>
              <strong>{passkey.name}</strong>
              <small>
                {passkey.last_used_at === null
                  ? says.added(momentOf(passkey.created_at))
                  : says.used(momentOf(passkey.last_used_at))}
              </small>
            </span>
            <button
              type="button"
              aria-label={says.renameOf(passkey.name)}
              onClick={() => askName(says.renameOf(passkey.name), passkey.name, rename(passkey.id))}
            >
              {says.rename}
            </button>
            <button type="button" aria-label={says.removeOf(passkey.name)} onClick={() => askToRemove(passkey)}>
              {says.remove}
            </button>
          </li>
        ))}
      </ul>
      {knowsPasskeys() ? (
        <p class="buttons">
          <button type="button" onClick={() => askName(says.add, '', add)}>
            {says.add}
          </button>
        </p>
      ) : null}
    </section>
  )
}

import { useLayoutEffect, useState } from 'preact/hooks'
import type { ServerRules } from '../../../features/arrival/model.ts'
import { ApiError } from '../../client/rest.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { words } from '../../words/words.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showNote } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { RichText } from '../messages/rich-text.tsx'

/** The rules of a server, and the button that accepts them. */
export const RulesDialog = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const [rules, setRules] = useState<ServerRules>()
  const { attempt, busy, error } = useAttempt()
  const load = async () => setRules(await call('GET /api/servers/:server_id/rules', { server_id }))
  useLayoutEffect(() => void attempt(load), [server_id])
  const server = state.servers.get(server_id)
  if (!server) return null
  const accept = async (event: Event) => {
    event.preventDefault()
    if (!rules) return
    const isNew = state.heldBackIn(server_id) === 'pending'
    const isIn = await attempt(async () => {
      try {
        const { version } = rules
        await call('PUT /api/servers/:server_id/members/@me/rules', { server_id }, { version })
        return true
      } catch (cause) {
        if (cause instanceof ApiError && cause.code === 'rules_changed') await load()
        throw cause
      }
    })
    if (!isIn) return
    closeDialog()
    if (isNew) showNote(arrivalWords.welcome)
  }
  return (
    <Dialog title={arrivalWords.rulesOf(withoutBidi(server.name))} onClose={closeDialog} class="small">
      <form onSubmit={accept}>
        {rules === undefined ? (
          <p class="quiet loading">{words.loading}</p>
        ) : rules.version === null ? (
          <p>{arrivalWords.noRules}</p>
        ) : (
          <div class="rules">
            <RichText text={rules.content} />
          </div>
        )}
        <Refusal error={error} says={{ rules_changed: arrivalWords.readAgain }} />
        <FormFooter
          submit={rules?.version === null ? arrivalWords.goIn : arrivalWords.accept}
          busy={busy || rules === undefined}
        />
      </form>
    </Dialog>
  )
}

import { useLayoutEffect, useState } from 'preact/hooks'
import type { Onboarding, ServerRules } from '../../../features/arrival/model.ts'
import { ApiError } from '../../client/rest.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { words } from '../../words/words.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showNote, topDialogCloser } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { RichText } from '../messages/rich-text.tsx'
import { showWelcome } from '../server/welcome.tsx'
import { Questions } from './questions.tsx'

interface Arrival {
  rules: ServerRules
  /** The questions to a member who has not arrived yet. */
  questions: Onboarding['questions']
}

/** The rules of a server and its questions to new members, and the button that accepts them. */
export const RulesDialog = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const [arrival, setArrival] = useState<Arrival>()
  const [chosenIds, setChosen] = useState<number[]>([])
  const { attempt, busy, error } = useAttempt()
  const isNew = state.heldBackIn(server_id) === 'pending'
  const load = async () => {
    const rules = await call('GET /api/servers/:server_id/rules', { server_id })
    const { questions } = isNew
      ? await call('GET /api/servers/:server_id/onboarding', { server_id })
      : { questions: [] }
    setArrival({ rules, questions })
  }
  useLayoutEffect(() => void attempt(load), [server_id])
  const server = state.servers.get(server_id)
  if (!server) return null
  const accept = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    if (!arrival) return
    const { version } = arrival.rules
    const isIn = await attempt(async () => {
      try {
        const body = isNew ? { version, option_ids: chosenIds } : { version }
        await call('PUT /api/servers/:server_id/members/@me/rules', { server_id }, body)
        return true
      } catch (cause) {
        if (cause instanceof ApiError && cause.code === 'rules_changed') await load()
        throw cause
      }
    })
    if (!isIn) return
    closeThis()
    if (!isNew) return
    showNote(arrivalWords.welcome)
    void showWelcome(server_id)
  }
  const isOpen = arrival?.questions.some(
    ({ required, options }) => required && !options.some(({ id }) => chosenIds.includes(id)),
  )
  return (
    <Dialog title={arrivalWords.rulesOf(withoutBidi(server.name))} onClose={closeDialog} class="small">
      <form onSubmit={accept}>
        {arrival === undefined ? (
          <p class="quiet loading">{words.loading}</p>
        ) : (
          <div class="arrival" tabIndex={0}>
            {arrival.rules.version === null ? <p>{arrivalWords.noRules}</p> : <RichText text={arrival.rules.content} />}
            <Questions questions={arrival.questions} chosenIds={chosenIds} onChange={setChosen} />
          </div>
        )}
        <Refusal error={error} says={{ rules_changed: arrivalWords.readAgain }} />
        <FormFooter
          submit={arrival?.rules.version === null ? arrivalWords.goIn : arrivalWords.accept}
          busy={busy || arrival === undefined || isOpen === true}
        />
      </form>
    </Dialog>
  )
}

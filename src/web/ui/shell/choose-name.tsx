import { useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { call, isNewcomer, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'

/** Asks a new account for its display name, in place of the one that the server made up. */
export const ChooseName = () => {
  const [display_name, setName] = useState('')
  const { attempt, busy, error } = useAttempt()
  const leave = () => (isNewcomer.value = false)
  const save = async (event: Event) => {
    event.preventDefault()
    if (await attempt(() => call('PUT /api/auth/display-name', {}, { display_name: display_name.trim() }))) leave()
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={save}>
        <h1>{words.welcome.title}</h1>
        <Field
          label={words.welcome.name}
          value={display_name}
          onInput={setName}
          hint={words.welcome.hint}
          placeholder={state.user?.display_name ?? ''}
          autocomplete="nickname"
          maxLength={32}
          required
          autofocus
        />
        <Refusal error={error} />
        <button class="primary" disabled={busy}>
          {words.welcome.save}
        </button>
        <button type="button" onClick={leave}>
          {words.welcome.skip(nameOf(state.me()))}
        </button>
      </form>
    </main>
  )
}

import { useState } from 'preact/hooks'
import { linkToken } from '../../state/route.ts'
import { call } from '../../state/session.ts'
import { importWords } from '../../words/imports.ts'
import { mailWords } from '../../words/mail.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** Takes what an imported author wrote, by the link that led here, after a click. */
export const ClaimPage = () => {
  const [isDone, setDone] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { token: linkToken.value }
    if (await attempt(() => call('POST /api/users/@me/imported-messages', {}, body))) setDone(true)
  }
  const { title, text, take, taken, go, gone } = importWords
  const isOver = isDone || linkToken.value === ''
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>{title}</h1>
        <p role="status">{isDone ? taken : isOver ? mailWords.linkGone : text}</p>
        <Refusal error={error} says={{ link_gone: gone }} />
        {isOver ? null : (
          <button class="primary" disabled={busy} autofocus>
            {take}
          </button>
        )}
        <a href="/app">{go}</a>
      </form>
    </main>
  )
}

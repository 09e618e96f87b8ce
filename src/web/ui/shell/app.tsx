import { useEffect } from 'preact/hooks'
import { account, state } from '../../state/session.ts'
import { go, route, takeReturnPath } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { SignIn } from './sign-in.tsx'
import { InvitePage } from '../server/invite-page.tsx'
import { Note } from '../kit/dialogs.tsx'
import { Shell } from './shell.tsx'

/** The whole page: the door, or what is behind it. */
export const App = () => {
  const here = route.value
  const known = account.value
  const atDoor = here.page === 'login' || here.page === 'register'
  useEffect(() => {
    if (known === 'logged_out' && !atDoor && here.page !== 'invite') go('/login', true)
    if (known === 'logged_in' && atDoor) go(takeReturnPath(), true)
  }, [known, here.page])
  if (known === 'unknown' || known === 'unreachable') return <Waiting />
  if (known === 'logged_out') return here.page === 'invite' ? <InvitePage code={here.code} /> : <SignIn />
  if (!state.user || atDoor) return <Waiting />
  return (
    <>
      {here.page === 'invite' ? <InvitePage code={here.code} /> : <Shell />}
      <Note />
    </>
  )
}

const Waiting = () => (
  <main class="door" aria-busy="true">
    <p class="quiet" role="status">
      {account.value === 'unreachable' ? words.unreachable : words.loading}
    </p>
  </main>
)

import { useEffect } from 'preact/hooks'
import { account, isNewcomer, state } from '../../state/session.ts'
import { go, rememberReturnPath, route, takeReturnPath } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { SignIn } from './sign-in.tsx'
import { InvitePage } from '../server/invite-page.tsx'
import { Note } from '../kit/dialogs.tsx'
import { Later } from '../kit/later.tsx'
import { ChooseName } from './choose-name.tsx'
import { tellNewLogins } from './new-login.ts'
import { Shell } from './shell.tsx'

/** The whole page: signing in, an invite, or the shell. */
export const App = () => {
  const current = route.value
  const known = account.value
  const isSignIn = ['login', 'register', 'forgot'].includes(current.page)
  const isLink = current.page === 'reset' || current.page === 'verify'
  useEffect(tellNewLogins, [])
  useEffect(() => {
    if (known === 'logged_out' && !isSignIn && !isLink && current.page !== 'invite') {
      if (current.page !== 'friends') rememberReturnPath(location.pathname)
      go('/login', true)
    }
    if (known === 'logged_in' && isSignIn) go(takeReturnPath(), true)
  }, [known, current.page])
  if (isLink) return <SignIn />
  if (known === 'unconfirmed') return <SignIn confirmFirst />
  if (known === 'unknown' || known === 'unreachable') return <Loading />
  if (known === 'logged_out') return current.page === 'invite' ? <InvitePage code={current.code} /> : <SignIn />
  if (!state.user || isSignIn) return <Loading />
  if (isNewcomer.value) return <ChooseName />
  if (current.page === 'operator') return <Later load={loadOperator} />
  return (
    <>
      {current.page === 'invite' ? <InvitePage code={current.code} /> : <Shell />}
      <Note />
    </>
  )
}

const loadOperator = async () => {
  const { OperatorPage } = await import('../operator/operator-page.tsx')
  return () => <OperatorPage />
}

const Loading = () => (
  <main class="sign-in" aria-busy="true">
    <p class="quiet loading" role="status">
      {account.value === 'unreachable' ? words.unreachable : words.loading}
    </p>
  </main>
)

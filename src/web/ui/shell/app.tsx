import { useEffect } from 'preact/hooks'
import { account, gateway, state } from '../../state/session.ts'
import { go, hasSignOn, rememberReturnPath, route, takeReturnPath } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { Note } from '../kit/dialogs.tsx'
import { Later } from '../kit/later.tsx'
import { Shell } from './shell.tsx'

/** Shows logins from new devices and warnings, including those that came while this browser was offline. */
const tellNewLogins = () =>
  gateway.listen(({ t, d }) => {
    if (t === 'warning.created' || (t === 'ready' && d.unread_warnings > 0))
      void import('../people/warnings.tsx').then(({ showUnreadWarnings }) => showUnreadWarnings()).catch(() => {})
    const isNews = t === 'security.changed' || (t === 'session.created' && state.user)
    if (!isNews) return
    void import('./new-login.ts')
      .then(({ tellLogin, tellSecurity }) => (t === 'security.changed' ? tellSecurity(d) : tellLogin(d)))
      .catch(() => {})
  })

/** The whole page: signing in, an invite, or the shell. */
export const App = () => {
  const current = route.value
  const loginState = account.value
  const isSignIn = ['login', 'register', 'forgot'].includes(current.page)
  const isLink = current.page === 'reset' || current.page === 'verify'
  useEffect(tellNewLogins, [])
  useEffect(() => {
    if (loginState === 'logged_out' && !isSignIn && !isLink && current.page !== 'invite') {
      if (current.page !== 'friends') rememberReturnPath(location.pathname)
      go('/login', true)
    }
    if (loginState === 'logged_in' && isSignIn) go(takeReturnPath(), true)
    if (loginState === 'logged_in' && hasSignOn()) void tellSignOn()
  }, [loginState, current.page])
  if (isLink) return <Later page key="sign in" load={signIn} />
  if (loginState === 'unconfirmed') return <Later page key="confirm first" load={confirmFirst} />
  if (loginState === 'unknown' || loginState === 'unreachable') return <Loading />
  if (loginState === 'logged_out')
    return current.page === 'invite' ? <Invite code={current.code} /> : <Later page key="sign in" load={signIn} />
  if (!state.user || isSignIn) return <Loading />
  if (current.page === 'operator') return <Later page load={loadOperator} />
  if (current.page === 'claim') return <Later page key="claim" load={claim} />
  if (current.page === 'application') return <Application key={current.id} id={current.id} />
  return (
    <>
      {current.page === 'invite' ? <Invite code={current.code} /> : <Shell />}
      <Note />
    </>
  )
}

const tellSignOn = async () => {
  const { tellSignOn: tell } = await import('../settings/provider-return.tsx')
  await tell()
}

const signIn = async () => {
  const { SignIn } = await import('./sign-in.tsx')
  return () => <SignIn />
}

const confirmFirst = async () => {
  const { SignIn } = await import('./sign-in.tsx')
  return () => <SignIn confirmFirst />
}

const claim = async () => {
  const { ClaimPage } = await import('../people/claim-page.tsx')
  return () => <ClaimPage />
}

const Invite = ({ code }: { code: string }) => (
  <Later
    page
    key={code}
    load={async () => {
      const { InvitePage } = await import('../server/invite-page.tsx')
      return () => <InvitePage code={code} />
    }}
  />
)

const Application = ({ id }: { id: number }) => (
  <Later
    page
    load={async () => {
      const { AddApplication } = await import('../applications/add-application.tsx')
      return () => <AddApplication id={id} />
    }}
  />
)

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

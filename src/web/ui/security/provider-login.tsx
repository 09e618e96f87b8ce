import { offers } from '../../state/offers.ts'
import { returnInviteCode } from '../../state/route.ts'
import { signOnWords } from '../../words/sign-on.ts'

/** Leads to the identity provider; a page of this client takes over when the person comes back. */
export const ProviderLogin = () => {
  const oidc = offers.value?.oidc
  if (!oidc) return null
  const query = new URLSearchParams({ return_to: '/login' })
  const code = returnInviteCode()
  if (code !== undefined) query.set('invite_code', code)
  return (
    <a class={offers.value?.password_login ? 'button' : 'button primary'} href={`/api/auth/oidc/start?${query}`}>
      {signOnWords.login(oidc.name)}
    </a>
  )
}

import { type PendingLogin, secondFactorMethods } from '../../../core/errors.ts'
import { ApiError } from '../../client/rest.ts'
import { leavePage } from '../../state/leave-page.ts'
import { call } from '../../state/session.ts'
import { signOnWords } from '../../words/sign-on.ts'

/** Leaves for the identity provider; the person comes back to this page. */
export async function goToProvider(endpoint: 'POST /api/auth/oidc/link' | 'POST /api/auth/oidc/proof'): Promise<void> {
  const { url } = await call(endpoint, {}, { return_to: location.pathname })
  leavePage(url)
}

/** The second step of a login, if that is what the provider's login has led to. */
export function pendingIn(outcome: string): PendingLogin | undefined {
  const [code, pending_token = '', methodList = ''] = outcome.split(':')
  if (code !== 'second_factor_required') return undefined
  return { pending_token, methods: secondFactorMethods.filter((method) => methodList.split(',').includes(method)) }
}

/** Why the way to the provider and back has failed, as forms show it. */
export function refusalIn(outcome: string): ApiError | undefined {
  if (outcome === '' || outcome === 'linked' || outcome === 'proven' || outcome.includes(':')) return undefined
  const problems: Record<string, string> = signOnWords.problems
  return new ApiError(0, 'oidc_failed', problems[outcome] ?? signOnWords.problems.oidc_failed)
}

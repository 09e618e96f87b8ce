import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '../../../features/passkeys/model.ts'
import { ApiError } from '../../client/rest.ts'
import { securityWords } from '../../words/security.ts'

// The library is loaded with the first passkey.
const library = () => import('@simplewebauthn/browser')

/** The browser's refusal in the form that Refusal shows: people cancel, and have no passkey for the site. */
const refuse = (): never => {
  throw new ApiError(0, 'invalid_passkey', securityWords.notThere)
}

/** True if the browser supports passkeys. */
export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** Asks the browser for an answer by a passkey. @throws ApiError */
export async function answerByPasskey(options: RequestOptions): Promise<Assertion> {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON: options as never }).catch(refuse)
}

/** Asks the browser to make a passkey. @throws ApiError */
export async function makePasskey(options: CreationOptions): Promise<NewCredential> {
  const { startRegistration } = await library()
  return startRegistration({ optionsJSON: options as never }).catch(refuse)
}

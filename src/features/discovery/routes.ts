import { Elysia } from 'elysia'
import { answers } from '../../core/schema.ts'
import { VERSION } from '../../core/version.ts'
import type { Parts } from '../../parts.ts'
import { registrationState } from '../accounts/registration.ts'
import { sendsMail } from '../mail/outbox.ts'
import { offersOidc } from '../oidc/provider.ts'
import { vapidOf } from '../push/push-services.ts'
import { anonymous } from '../sessions/identity.ts'
import { Offers } from './model.ts'
import { relyingPartyId } from '../passkeys/relying-party.ts'

const CACHED_SECONDS = 60

/**
 * Features of the installation, for login pages and other clients. Needs no token.
 * @param clientHash the hash that stands for the web client's files; null while they are not built
 */
export const discoveryRoutes = (parts: Parts, clientHash: () => Promise<string | null>) => {
  const { environment } = parts
  const offers: Omit<Offers, 'registration' | 'client_hash'> = {
    name: 'Parley',
    version: VERSION,
    max_file_bytes: environment.MAX_FILE_BYTES,
    mail: sendsMail(environment),
    email_verification: environment.EMAIL_VERIFICATION,
    oidc: offersOidc(environment) ? { name: environment.OIDC_NAME } : null,
    password_login: environment.PASSWORD_LOGIN === 'on',
    passkeys: relyingPartyId(environment) !== undefined,
    call_encryption: environment.CALLS_ENCRYPTION,
    push_key: environment.WEB_PUSH === 'on' ? vapidOf(parts).public_key : null,
    link_previews: environment.LINK_PREVIEWS === 'on',
  }
  return new Elysia().use(anonymous(parts)).get(
    '/.well-known/parley',
    async ({ set }) => {
      set.headers['cache-control'] = `public, max-age=${CACHED_SECONDS}`
      const { mode } = await registrationState(parts)
      return { ...offers, registration: mode, client_hash: await clientHash() }
    },
    {
      detail: { summary: 'Get the features of this installation', security: [], tags: ['Operations'] },
      response: answers({ 200: Offers }),
    },
  )
}

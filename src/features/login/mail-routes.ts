import { Elysia } from 'elysia'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { answers, Done, NoBody } from '../../core/schema.ts'
import type { Transaction } from '../../database/database.ts'
import type { Notify } from '../../events/write.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { PasswordReset } from '../accounts/model.ts'
import { demandPasswords, hashPassword } from '../accounts/passwords.ts'
import { proveAddress } from './proven-address.ts'
import { hasSecondFactor } from '../factors/factors.ts'
import { demandProof } from '../proof/proof.ts'
import { addressKey } from '../sessions/address.ts'
import { anonymous, ownSession, signedIn } from '../sessions/identity.ts'
import { endSessions, type Sessions } from '../sessions/store.ts'
import { type LinkRow, readLink, useLink } from '../mail/links.ts'
import { EmailChange, EmailProof, ForgottenPassword } from '../mail/model.ts'
import { queueMail, sendsMail, tellAccount } from '../mail/outbox.ts'

const tags = ['Accounts']

const RESETS_PER_MAILBOX: WindowPolicy = { name: 'forgot-mailbox', max: 3, windowS: 3600 }
const RESETS_PER_ADDRESS: WindowPolicy = { name: 'forgot', max: 10, windowS: 3600 }
const LINKS_USED: WindowPolicy = { name: 'links', max: 30, windowS: 3600 }
/** Stops several accounts from flooding one mailbox with links. */
const CHANGES_PER_MAILBOX: WindowPolicy = { name: 'email-mailbox', max: 3, windowS: 3600 }
const EMAIL_CHANGES: WindowPolicy = { name: 'email', max: 5, windowS: 3600 }

/** @throws Problem `not_found` on an installation without mail */
function demandMail({ environment }: Parts): void {
  if (!sendsMail(environment)) throw new Problem('not_found', 'This installation sends no mail')
}

/** Sets the password of a used link's account. Does not log in, and leaves second factors on. */
async function resetPassword(
  sql: Transaction,
  notify: Notify,
  { user_id, email }: LinkRow,
  passwordHash: string,
): Promise<void> {
  // An address that has changed since must not open the account. The first proof of an address removes second factors,
  // but a reset must keep them, so it does not prove the address of an account with a second factor.
  if (email !== null && !(await hasSecondFactor(sql, user_id))) await demandAddress(sql, notify, user_id, email)
  await sql`update users set password_hash = ${passwordHash}, updated_at = now()
    where id = ${user_id} and deleted_at is null`
  await endSessions(sql, notify, user_id)
}

/** @throws Problem `link_gone` if the account has another address by now */
async function demandAddress(sql: Transaction, notify: Notify, user_id: number, email: string): Promise<void> {
  if (!(await proveAddress(sql, notify, user_id, email, 'own'))) throw new Problem('link_gone')
}

/** Requesting and using links, without a token. */
const linkRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/auth' })
    .use(anonymous(parts))
    .post(
      '/password/forgot',
      async ({ body: { email }, caller, status }) => {
        demandMail(parts)
        demandPasswords(parts.environment)
        await parts.limits.take(caller, RESETS_PER_ADDRESS, addressKey(caller.ip))
        await parts.limits.take(caller, RESETS_PER_MAILBOX, email.toLowerCase())
        // Queue the mail whether or not an account has the address, so that timing does not reveal it. The sender
        // checks.
        await parts.write((sql) =>
          queueMail(sql, parts.environment, { user_id: null, address: email, template: 'reset' }),
        )
        return status(202, { message: 'If an account has this address, a link has been sent' })
      },
      {
        body: ForgottenPassword,
        detail: {
          summary: 'Request a password reset link',
          description: 'The answer is the same whether or not an account has the address.',
          security: [],
          tags,
        },
        response: answers({ 202: Done }, 'not_found', 'forbidden', ...BODY_CODES),
      },
    )
    .post(
      '/password/reset',
      async ({ body: { token, password }, caller }) => {
        demandPasswords(parts.environment)
        await parts.limits.take(caller, LINKS_USED, addressKey(caller.ip))
        // Check the link before the hash, which takes 66 ms of CPU time.
        await readLink(parts.sql, token, 'reset')
        const passwordHash = await hashPassword(password)
        await parts.write(async (sql, _emit, notify) => {
          const link = await useLink(sql, token, 'reset')
          await resetPassword(sql, notify, link, passwordHash)
          await tellAccount(sql, parts.environment, link.user_id, 'password_changed')
        })
        return { message: 'Password changed; every session has ended' }
      },
      {
        body: PasswordReset,
        detail: {
          summary: 'Set a new password with a reset link',
          description:
            'Ends every session, keeps second factors, and does not log in. It proves the address of an ' +
            'account without second factors.',
          security: [],
          tags,
        },
        response: answers({ 200: Done }, 'link_gone', 'weak_password', 'forbidden', ...BODY_CODES),
      },
    )
    .post(
      '/email/verify',
      async ({ body: { token }, caller, request }) => {
        await parts.limits.take(caller, LINKS_USED, addressKey(caller.ip))
        const session = await ownSession(parts, sessions, request)
        await parts.write(async (sql, _emit, notify) => {
          const { user_id, purpose, email } = await useLink(sql, token, 'verify', 'change')
          const takes = purpose === 'change' ? 'next' : 'own'
          const isProven = await proveAddress(sql, notify, user_id, email ?? '', takes, session?.session_id)
          if (!isProven) throw new Problem('link_gone')
        })
        return { message: 'The address is confirmed' }
      },
      {
        body: EmailProof,
        detail: {
          summary: 'Confirm an e-mail address with a link',
          description:
            'A new address replaces the old one. The first proof of an account’s address removes factors, ' +
            'passkeys, linked identities and bots that were added before it; an account without a password keeps its ' +
            'identities if the request has a session of the account.',
          security: [],
          tags,
        },
        response: answers({ 200: Done }, 'link_gone', 'email_taken', ...BODY_CODES),
      },
    )

/** The e-mail address of the caller. */
const ownEmailRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .put(
      '/email',
      async ({ me, body: { email }, caller, status }) => {
        demandMail(parts)
        await demandProof(parts.sql, me)
        await parts.limits.take(caller, EMAIL_CHANGES, `user:${me.id}`)
        await parts.limits.take(caller, CHANGES_PER_MAILBOX, email.toLowerCase())
        await parts.write(async (sql) => {
          await sql`select 1 from users where id = ${me.id} for no key update`
          // A password change may have ended the session meanwhile.
          await demandProof(sql, me)
          // Only the newest request counts. Delete mails first, as the trigger in sql/0050_mail.sql does.
          await sql`delete from mail_outbox where user_id = ${me.id} and template = 'change_email'`
          await sql`delete from mail_tokens where user_id = ${me.id} and purpose = 'change'`
          await queueMail(sql, parts.environment, { user_id: me.id, address: email, template: 'change_email' })
          await tellAccount(sql, parts.environment, me.id, 'email_changing')
        })
        return status(202, { message: 'A link has been sent to the new address' })
      },
      {
        body: EmailChange,
        detail: {
          summary: 'Request a link that changes the e-mail address',
          description:
            'The address changes when the link is used, within 24 h. The old address is notified. The session has to ' +
            'have proven itself (`proof_required`).',
          tags,
        },
        response: answers({ 202: Done }, 'not_found', 'proof_required', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/email/resend',
      async ({ me, caller, status }) => {
        demandMail(parts)
        await parts.limits.take(caller, EMAIL_CHANGES, `user:${me.id}`)
        await parts.write(async (sql) => {
          const [account] = await sql<{ email: string; verified: boolean }[]>`
            select email, email_verified_at is not null as verified from users
            where id = ${me.id} and deleted_at is null`
          const { email, verified } = found(account, 'token_revoked')
          if (!verified) await queueMail(sql, parts.environment, { user_id: me.id, address: email, template: 'verify' })
        })
        return status(202, { message: 'A link has been sent, unless the address is confirmed already' })
      },
      {
        body: NoBody,
        detail: { summary: 'Resend the link that confirms the e-mail address', tags },
        response: answers({ 202: Done }, 'not_found', ...BODY_CODES, ...TOKEN_CODES),
      },
    )

/** Forgotten passwords and e-mail addresses. */
export const mailRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia().use(linkRoutes(parts, sessions)).use(ownEmailRoutes(parts, sessions))

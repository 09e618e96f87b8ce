import { Elysia } from 'elysia'
import type { z } from 'zod'
import type { Caller } from '../../http/caller.ts'
import { columns } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { answers, Done } from '../../core/schema.ts'
import { lockPicture } from '../files/access.ts'
import { AvatarChange } from '../files/model.ts'
import { secondStepOf } from '../factors/pending-logins.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { demandOwner } from '../proof/owner.ts'
import { demandProof } from '../proof/proof.ts'
import { addressKey } from '../sessions/address.ts'
import { anonymous, sessionCookie, signedIn } from '../sessions/identity.ts'
import { SESSION_SECONDS } from '../sessions/model.ts'
import { queueMail, tellAccount } from '../mail/outbox.ts'
import { endSessions, type Sessions } from '../sessions/store.ts'
import { randomDisplayName } from '../accounts/display-names.ts'
import { demandPassword, PROFILE_CHANGES, REGISTRATION_ATTEMPTS, REGISTRATIONS } from '../accounts/limits.ts'
import {
  Credentials,
  DisplayNameChange,
  FullUser,
  PasswordChange,
  Registration,
  SignedIn,
  User,
} from '../accounts/model.ts'
import { demandPasswords, hashPassword, verifyPassword } from '../accounts/passwords.ts'
import { privacyRoutes } from '../accounts/privacy.ts'
import { emitUserUpdated } from '../accounts/profile.ts'
import { admitRegistration } from '../accounts/registration.ts'
import { coverNames } from '../members/cover-name.ts'
import type { StatusOf } from '../status/model.ts'
import { SecondStep, signIn } from '../accounts/sign-in.ts'

const tags = ['Accounts']
const LOGIN = `If the account has a second factor, the right password answers 401 \`second_factor_required\` with a
\`pending_token\`, and the \`methods\` that POST /api/auth/login/second accepts. Rate limits in the answer belong to
the typed name; beyond the account’s own limits, even the right password answers 401 \`invalid_credentials\`.`

/** Registration and login, without a token. */
const entryRoutes = (parts: Parts, sessions: Sessions, passkeys: Passkeys) =>
  new Elysia({ prefix: '/api/auth' })
    .use(anonymous(parts))
    .post(
      '/register',
      async ({ body, caller, request, status }) => {
        demandPasswords(parts.environment)
        const address = addressKey(caller.ip)
        await parts.limits.take(caller, REGISTRATION_ATTEMPTS, address)
        await parts.space.demand()
        await admitRegistration(parts, body.invite_code)
        await parts.limits.take(caller, REGISTRATIONS, address)
        const { user, token } = await register(parts, sessions, body, caller, request).catch(async (error: unknown) => {
          await parts.limits.giveBack(REGISTRATIONS, address)
          throw error
        })
        caller.headers['set-cookie'] = sessionCookie(caller.base, token, SESSION_SECONDS)
        return status(201, { user, token })
      },
      {
        body: Registration,
        detail: { summary: 'Create an account', security: [], tags },
        response: answers(
          { 201: SignedIn },
          'username_taken',
          'email_taken',
          'weak_password',
          'forbidden',
          'storage_full',
          ...BODY_CODES,
        ),
      },
    )
    .post(
      '/login',
      async ({ body, caller, request }) => {
        demandPasswords(parts.environment)
        const { sql } = parts
        const loginName = (body.email ?? body.username ?? '').toLowerCase()
        const [account] = await sql<{ id: number; password_hash: string | null }[]>`select id, password_hash from users
          where ${body.email === undefined ? sql`username = ${loginName}` : sql`lower(email) = lower(${loginName})`}
            and deleted_at is null`
        const attempt = { id: account?.id, typed: `${body.email === undefined ? 'username' : 'email'} ${loginName}` }
        await demandPassword(parts, caller, attempt, () =>
          verifyPassword(body.password, account?.password_hash ?? undefined),
        )
        const { id, password_hash } = found(account, 'invalid_credentials')
        const answer = await signIn(parts, sessions, { caller, request }, id, async (sql) => {
          // The password may have changed since it was verified, which ended the account's sessions.
          const [match] = await sql`select 1 from users where id = ${id} and password_hash = ${password_hash}`
          found(match, 'invalid_credentials')
          return secondStepOf(sql, passkeys, id)
        })
        if (answer instanceof SecondStep)
          throw new Problem('second_factor_required', undefined, { pending: answer.pending })
        return answer
      },
      {
        body: Credentials,
        detail: { summary: 'Log in with a username or e-mail address', description: LOGIN, security: [], tags },
        response: answers(
          { 200: SignedIn },
          'invalid_credentials',
          'second_factor_required',
          'account_suspended',
          'forbidden',
          ...BODY_CODES,
        ),
      },
    )

async function register(
  { write, environment }: Parts,
  sessions: Sessions,
  { username, email, password }: z.infer<typeof Registration>,
  caller: Caller,
  request: Request,
) {
  const account = {
    username,
    email,
    password_hash: await hashPassword(password),
    display_name: randomDisplayName(),
    verification_required: environment.EMAIL_VERIFICATION === 'required',
  }
  return write(async (sql, emit, notify) => {
    const [newUser] = await sql<FullUser[]>`insert into users ${sql(account)} returning ${columns(sql, User)}`
    const user = found(newUser, 'internal')
    await queueMail(sql, environment, { user_id: user.id, address: email, template: 'verify' })
    return { user, token: await sessions.create(sql, emit, notify, user.id, caller, request.headers.get('user-agent')) }
  })
}

const ownAccountRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .get(
      '/me',
      async ({ me }) => {
        const [user] = await parts.sql<
          FullUser[]
        >`select ${columns(parts.sql, FullUser)} from users where id = ${me.id} and deleted_at is null`
        return found(user, 'token_revoked')
      },
      { detail: { summary: 'Get the caller’s account', tags }, response: answers({ 200: FullUser }, ...TOKEN_CODES) },
    )
    .put(
      '/display-name',
      async ({ me, caller, body }) => {
        await parts.limits.take(caller, PROFILE_CHANGES, `user:${me.id}`)
        const user = await parts.write(async (sql, emit) => {
          const [user] = await sql<FullUser[]>`update users set display_name = ${body.display_name}, updated_at = now()
            where id = ${me.id} and deleted_at is null returning ${columns(sql, FullUser)}`
          found(user, 'token_revoked')
          await emitUserUpdated(sql, emit, me.id)
          return found(user)
        })
        await coverNames(parts, me.id, statusOf)
        return user
      },
      {
        body: DisplayNameChange,
        detail: { summary: 'Change the display name', tags },
        response: answers({ 200: FullUser }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .put(
      '/avatar',
      async ({ me, caller, body: { avatar_file_id } }) => {
        await parts.limits.take(caller, PROFILE_CHANGES, `user:${me.id}`)
        return parts.write(async (sql, emit) => {
          const id = avatar_file_id === null ? null : await lockPicture(sql, avatar_file_id, me.id)
          const [user] = await sql<FullUser[]>`update users set avatar_file_id = ${id}, updated_at = now()
            where id = ${me.id} and deleted_at is null returning ${columns(sql, FullUser)}`
          found(user, 'token_revoked')
          await emitUserUpdated(sql, emit, me.id)
          return found(user)
        })
      },
      {
        body: AvatarChange,
        detail: { summary: 'Set or clear the avatar, a picture that the caller has uploaded', tags },
        response: answers({ 200: FullUser }, 'not_found', 'picture_unreadable', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .put(
      '/password',
      async ({ me, body, caller }) => {
        const current = await demandOwner(parts, caller, me, 'current_password', body.current_password)
        const password_hash = await hashPassword(body.new_password)
        await parts.write(async (tx, _emit, notify) => {
          const [row] = await tx`update users set password_hash = ${password_hash}, updated_at = now()
            where id = ${me.id} and password_hash is not distinct from ${current} returning id`
          found(row, 'invalid_credentials')
          // The session may have ended meanwhile.
          if (body.current_password === undefined) await demandProof(tx, me)
          await endSessions(tx, notify, me.id, { except: me.session_id })
          await tellAccount(tx, parts.environment, me.id, 'password_changed')
        })
        return { message: 'Password changed; every other session has ended' }
      },
      {
        body: PasswordChange,
        detail: {
          summary: 'Change the password; ends every other session',
          description: 'Needs a proof if a second factor is on, or if the account has no password yet.',
          tags,
        },
        response: answers(
          { 200: Done },
          'invalid_credentials',
          'proof_required',
          'weak_password',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )

export const accountRoutes = (parts: Parts, sessions: Sessions, passkeys: Passkeys, statusOf: StatusOf) =>
  new Elysia()
    .use(entryRoutes(parts, sessions, passkeys))
    .use(ownAccountRoutes(parts, sessions, statusOf))
    .use(privacyRoutes(parts, sessions))

import { Elysia } from 'elysia'
import type { z } from 'zod'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import { columns, type Transaction } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { answers } from '../../core/schema.ts'
import { lockServer } from '../access/guard.ts'
import { admitClaim, demandGuestDoor } from '../accounts/guest-door.ts'
import { REGISTRATION_ATTEMPTS } from '../accounts/limits.ts'
import { Claim, GuestRegistration, SignedIn, User } from '../accounts/model.ts'
import { demandPasswords, hashPassword } from '../accounts/passwords.ts'
import { emitUserUpdated } from '../accounts/profile.ts'
import { type Entry, enterBy } from '../invites/enter.ts'
import { queueMail } from '../mail/outbox.ts'
import { coverName } from '../members/cover-name.ts'
import { demandGuest, doorKey, shutDoor } from '../members/guests.ts'
import { announceMember } from '../members/membership.ts'
import { beginRaid } from '../members/raids.ts'
import { addressKey } from '../sessions/address.ts'
import { GUEST_HOURS } from '../sessions/guests.ts'
import { anonymous, sessionCookie, signedIn } from '../sessions/identity.ts'
import { SESSION_SECONDS } from '../sessions/model.ts'
import type { Sessions } from '../sessions/store.ts'
import type { StatusOf } from '../status/model.ts'

// Guests: accounts for a day in one server, which need no password. src/features/sessions/guests.ts lists the routes
// that are open to them, and guest_permissions in SQL bounds what they may do in the server. A guest that claims its
// account within the day keeps it, with all that it has written; the account of every other guest is deleted
// (GuestEnds).

const tags = ['Accounts']
const GUESTS: WindowPolicy = { name: 'register-guest', max: 3, windowS: 3600 }

type Draft = z.infer<typeof GuestRegistration>

/** Creates the account of a guest. @returns its id */
async function createGuest(sql: Transaction, display_name: string): Promise<number> {
  const name = `guest:${crypto.randomUUID()}`
  const [row] = await sql<{ id: number }[]>`
    insert into users (username, email, display_name, kind, friend_requests_from, guest_until)
    values (${name}, ${name}, ${display_name}, 'guest', 'nobody', now() + ${GUEST_HOURS} * interval '1 hour')
    returning id`
  const { id } = found(row, 'internal')
  await sql`update users set username = 'guest:' || id, email = 'guest:' || id where id = ${id}`
  return id
}

/**
 * Creates a guest that joins by the invite.
 * @throws Problem `not_found`, `guests_closed`, `too_many_guests`, `name_taken`, and those of enterBy
 */
async function letIn(
  parts: Parts,
  { sql, emit, notify }: { sql: Transaction; emit: Emit; notify: Notify },
  { invite: code, display_name }: Draft,
  ip: string,
): Promise<Entry & { id: number }> {
  const [invite] = await sql<{ id: number; server_id: number; guest: boolean }[]>`
    select i.id, i.server_id, i.guest and creator.suspended_at is null as guest
    from invites i join users creator on creator.id = i.creator_id where i.code = ${code}`
  const { server_id, guest } = found(invite)
  if (!guest) throw new Problem('guests_closed')
  await lockServer(sql, server_id)
  const address = doorKey(parts, server_id, ip)
  await demandGuest(sql, server_id, display_name, address)
  const id = await createGuest(sql, display_name)
  const entry = await enterBy(sql, emit, notify, found(invite), { user_id: id, status: 'offline', isGuest: true })
  await sql`insert into guests ${sql({ user_id: id, server_id, address })}`
  return { ...entry, id }
}

const entryRoute = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia({ prefix: '/api/auth' }).use(anonymous(parts)).post(
    '/register/guest',
    async ({ body, caller, request, status }) => {
      const address = addressKey(caller.ip)
      await parts.limits.take(caller, REGISTRATION_ATTEMPTS, address)
      await parts.space.demand()
      await demandGuestDoor(parts)
      await parts.limits.take(caller, GUESTS, address)
      const guest = await parts
        .write(async (sql, emit, notify) => {
          const entry = await letIn(parts, { sql, emit, notify }, body, caller.ip)
          const [user] = await sql<User[]>`select ${columns(sql, User)} from users where id = ${entry.id}`
          const agent = request.headers.get('user-agent')
          const token = await sessions.create(sql, emit, notify, entry.id, caller, agent)
          return { ...entry, user: found(user, 'internal'), token }
        })
        .catch(async (error: unknown) => {
          await parts.limits.giveBack(GUESTS, address)
          throw error
        })
      const { user, token, server, isRaid } = guest
      if (isRaid) await beginRaid(parts, server.id, user.id, statusOf)
      await coverName(parts, server.id, user.id, statusOf)
      caller.headers['set-cookie'] = sessionCookie(caller.base, token, GUEST_HOURS * 3600)
      return status(201, { user, token })
    },
    {
      body: GuestRegistration,
      detail: {
        summary: 'Join a server as a guest, for 24 hours and without a password',
        description: '3 an hour and address. The invite must let guests in. A name that a member has is refused.',
        security: [],
        tags,
      },
      response: answers(
        { 201: SignedIn },
        'not_found',
        'invite_gone',
        'guests_closed',
        'joining_paused',
        'too_many_guests',
        'name_taken',
        'storage_full',
        ...BODY_CODES,
      ),
    },
  )

/** Makes a guest's account a person's. Its session goes on, with a token that lasts as any other's. */
async function claim(
  { write, environment }: Parts,
  me: { id: number; session_id: number },
  { username, email, password }: z.infer<typeof Claim>,
  statusOf: StatusOf,
): Promise<User> {
  const account = {
    username,
    email,
    password_hash: await hashPassword(password),
    verification_required: environment.EMAIL_VERIFICATION === 'required',
  }
  return write(async (sql, emit, notify) => {
    const [place] = await sql<{ server_id: number }[]>`select server_id from guests where user_id = ${me.id}`
    const { server_id } = found(place, 'forbidden')
    await lockServer(sql, server_id)
    await sql`select change_access(${server_id})`
    const [row] = await sql<User[]>`
      update users set ${sql(account)}, kind = 'person', guest_until = null, friend_requests_from = default,
        updated_at = now()
      where id = ${me.id} and kind = 'guest' and deleted_at is null and guest_until > now()
      returning ${columns(sql, User)}`
    const user = found(row, 'forbidden')
    await shutDoor(sql, { server_id, user_id: me.id, isExpelled: false })
    await sql`delete from guests where user_id = ${me.id}`
    await sql`update members set is_guest = false where server_id = ${server_id} and user_id = ${me.id}`
    await announceMember(sql, emit, { server_id, user_id: me.id }, statusOf(me.id))
    await emitUserUpdated(sql, emit, me.id)
    await queueMail(sql, environment, { user_id: me.id, address: email, template: 'verify' })
    // Every process forgets that the session is a guest's.
    notify({ kind: 'sessions_refreshed', session_ids: [me.session_id] })
    notify({ kind: 'access_changed', user_ids: [me.id] })
    return user
  })
}

const claimRoute = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia({ prefix: '/api/auth' }).use(signedIn(parts, sessions)).post(
    '/register/claim',
    async ({ me, body, caller }) => {
      if (!me.is_guest) throw new Problem('forbidden', 'Only guests can claim an account')
      demandPasswords(parts.environment)
      await parts.limits.take(caller, REGISTRATION_ATTEMPTS, addressKey(caller.ip))
      await admitClaim(parts)
      const user = await claim(parts, me, body, statusOf)
      const token = await sessions.refresh(me)
      caller.headers['set-cookie'] = sessionCookie(caller.base, token, SESSION_SECONDS)
      return { user, token }
    },
    {
      body: Claim,
      detail: { summary: 'Keep a guest’s account, with all that it has written', tags },
      response: answers(
        { 200: SignedIn },
        'username_taken',
        'email_taken',
        'weak_password',
        'forbidden',
        'not_found',
        ...BODY_CODES,
        ...TOKEN_CODES,
      ),
    },
  )

export const guestRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia().use(entryRoute(parts, sessions, statusOf)).use(claimRoute(parts, sessions, statusOf))

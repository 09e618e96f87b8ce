import { Elysia } from 'elysia'
import { z } from 'zod'
import type { Transaction } from '../../database/database.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { field } from '../../http/answers.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import type { Emit } from '../../events/write.ts'
import { BODY_CODES, found, Problem, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, NoBody } from '../../core/schema.ts'
import { unusableHash } from '../accounts/passwords.ts'
import { emitUserUpdated } from '../accounts/profile.ts'
import { lockPicture } from '../files/access.ts'
import { coverName, coverNames } from '../members/cover-name.ts'
import type { StatusOf } from '../status/model.ts'
import { guarded } from '../access/guard.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { interactionReceivers } from '../interactions/interaction-posts.ts'
import { addToServer, selectApplications, selectOwn, selectServerBots } from './add.ts'
import {
  AddedApplication,
  Addition,
  Application,
  ApplicationDraft,
  ApplicationPatch,
  APPLICATIONS_PER_OWNER_MAX,
  BotToken,
  CreatedApplication,
  OwnApplication,
} from './model.ts'

const tags = ['Applications']
/** Time limit for resolving the host name of a URL. */
const JUDGING_MS_MAX = 3_000
const params = z.object({ application_id: DecimalId })

/** Low, because each creates an account. */
const CREATIONS: BucketPolicy = { name: 'applications', burst: 10, refillPerS: 0.01 }
/** Low, because each ends the bot's sockets or sends an event to everybody who sees the bot. */
const CHANGES: BucketPolicy = { name: 'application-changes', burst: 10, refillPerS: 0.1 }

/** Creates the account of a bot, which cannot log in with a password or have friends. @returns its id */
async function createBot(sql: Transaction, name: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into users (username, email, password_hash, display_name, kind, friend_requests_from)
    values (${`bot:${crypto.randomUUID()}`}, ${`bot:${crypto.randomUUID()}`}, ${unusableHash}, ${name}, 'bot',
      'nobody') returning id`
  const { id } = found(row, 'internal')
  await sql`update users set username = 'bot:' || id, email = 'bot:' || id where id = ${id}`
  return id
}

/** Locks one of the account's applications. @throws Problem `not_found` */
async function lockApplication(sql: Transaction, id: number, ownerId: number): Promise<void> {
  const [application] = await sql`select 1 from applications where id = ${id} and owner_id = ${ownerId} for update`
  found(application)
}

/**
 * Locks the accounts of the bot and of its owner, so that neither is suspended before the commit.
 * @throws Problem `not_found`, `account_suspended`; `token_revoked` for a caller who has been suspended meanwhile
 */
async function lockUnsuspended(sql: Transaction, bot_id: number, ownerId: number): Promise<void> {
  const rows = await sql<{ id: number; is_suspended: boolean }[]>`
    select id, suspended_at is not null as is_suspended from users
    where id in (select unnest(array[id, owner_id]) from applications where id = ${bot_id} and owner_id = ${ownerId})
    order by id for no key update`
  found(rows[0])
  const suspendedIds = rows.filter(({ is_suspended }) => is_suspended).map(({ id }) => id)
  if (suspendedIds.includes(ownerId)) throw new Problem('token_revoked')
  if (suspendedIds.includes(bot_id)) throw new Problem('account_suspended')
}

interface Changes {
  name?: string
  description?: string
  interactions_url?: string | null
  avatar_file_id?: number | null
}

/** @throws Problem `validation_failed` for a URL to which the server must not post */
async function demandReceiver(parts: Parts, { interactions_url: url }: Changes): Promise<void> {
  if (typeof url !== 'string') return
  if (parts.environment.INTERACTION_URLS === 'off')
    throw field('interactions_url', 'This installation asks no application by a URL')
  const signal = AbortSignal.timeout(JUDGING_MS_MAX)
  if (!(await interactionReceivers(parts).isReachable(url, signal)))
    throw field('interactions_url', 'Must be an https URL that leads to public addresses')
}

/**
 * Changes an application, and publishes its bot if that changed.
 * @param uploaderId the account that must have uploaded a new picture
 */
async function change(
  { secrets }: Parts,
  [sql, emit]: [Transaction, Emit],
  id: number,
  changes: Changes,
  uploaderId: number,
) {
  const { description, interactions_url, name, avatar_file_id } = changes
  const profile = {
    ...(name === undefined ? {} : { display_name: name }),
    ...(avatar_file_id === undefined ? {} : { avatar_file_id }),
  }
  if (avatar_file_id) await lockPicture(sql, avatar_file_id, uploaderId)
  if (Object.keys(profile).length > 0) {
    await sql`update users set ${sql(profile)}, updated_at = now() where id = ${id}`
    await emitUserUpdated(sql, emit, id)
  }
  const applicationFields = {
    ...(description === undefined ? {} : { description }),
    ...(interactions_url === undefined ? {} : { interactions_url }),
  }
  if (Object.keys(applicationFields).length > 0)
    await sql`update applications set ${sql(applicationFields)} where id = ${id}`
  return found((await selectOwn({ sql, secrets }, sql`a.id = ${id}`))[0])
}

const botRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia({ prefix: '/api/applications/@me' })
    .use(signedIn(parts, sessions))
    .get('', async ({ me }) => found((await selectOwn(parts, parts.sql`a.id = ${me.id}`))[0]), {
      detail: { summary: 'Get the application of the calling bot', tags },
      response: answers({ 200: OwnApplication }, 'not_found', ...TOKEN_CODES),
    })
    .put(
      '',
      async ({ me, body, caller }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await demandReceiver(parts, body)
        const application = await parts.write(async (sql, emit) => {
          found((await sql`select 1 from applications where id = ${me.id} for update`)[0])
          return change(parts, [sql, emit], me.id, body, me.id)
        })
        if (body.name !== undefined) await coverNames(parts, me.id, statusOf)
        return application
      },
      {
        body: ApplicationPatch,
        detail: { summary: 'Change the application of the calling bot', tags },
        response: answers({ 200: OwnApplication }, 'not_found', 'picture_unreadable', ...BODY_CODES, ...TOKEN_CODES),
      },
    )

/** Creating applications, and the owner's actions on them. */
const ownerRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia({ prefix: '/api/applications' })
    .use(signedIn(parts, sessions))
    .post(
      '',
      async ({ me, caller, body, status }) => {
        await parts.space.demand()
        await parts.limits.take(caller, CREATIONS, `user:${me.id}`)
        return parts.write(async (sql, _emit, notify) => {
          // Lock the owner, so that concurrent requests do not exceed the limit together.
          const [owner] = await sql`
            select 1 from users where id = ${me.id} and deleted_at is null
              and suspended_at is null for no key update`
          found(owner, 'token_revoked')
          const [row] = await sql<{ count: number }[]>`
            select count(*)::int from applications where owner_id = ${me.id}`
          if ((row?.count ?? 0) >= APPLICATIONS_PER_OWNER_MAX) throw new Problem('too_many_applications')
          const id = await createBot(sql, body.name)
          await sql`insert into applications ${sql({ id, owner_id: me.id, description: body.description })}`
          const token = await sessions.issueBotToken(sql, notify, id, caller.ip)
          const [application] = await selectOwn({ ...parts, sql }, sql`a.id = ${id}`)
          return status(201, { ...found(application, 'internal'), token })
        })
      },
      {
        body: ApplicationDraft,
        detail: { summary: 'Create an application and its bot; the token is shown only this once', tags },
        response: answers(
          { 201: CreatedApplication },
          'too_many_applications',
          'storage_full',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get(
      '',
      async ({ me, query, request }) =>
        cursorList<OwnApplication>(
          request,
          query,
          'oldest',
          (row) => row.id,
          (scan) => selectOwn(parts, parts.sql`a.owner_id = ${me.id} and ${slice(parts.sql, 'a.id', scan)}`),
        ),
      {
        query: CursorQuery,
        detail: { summary: 'List the caller’s applications, ordered by id', tags },
        response: answers({ 200: z.array(OwnApplication) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/:application_id',
      async ({ params: { application_id } }) =>
        found((await selectApplications(parts.sql, parts.sql`a.id = ${application_id} and a.owner_id is not null`))[0]),
      {
        params,
        detail: { summary: 'Get an application, as shown to members who may add its bot to a server', tags },
        response: answers({ 200: Application }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .use(changeRoutes(parts, sessions, statusOf))

/** The owner's changes of one application. */
const changeRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia()
    .use(signedIn(parts, sessions))
    .put(
      '/:application_id',
      async ({ params: { application_id }, me, body, caller }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await demandReceiver(parts, body)
        const application = await parts.write(async (sql, emit) => {
          await lockApplication(sql, application_id, me.id)
          return change(parts, [sql, emit], application_id, body, me.id)
        })
        if (body.name !== undefined) await coverNames(parts, application_id, statusOf)
        return application
      },
      {
        params,
        body: ApplicationPatch,
        detail: { summary: 'Change an application of the caller', tags },
        response: answers({ 200: OwnApplication }, 'not_found', 'picture_unreadable', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/:application_id/token',
      async ({ params: { application_id }, me, caller, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write(async (sql, _emit, notify) => {
          await lockUnsuspended(sql, application_id, me.id)
          await lockApplication(sql, application_id, me.id)
          return status(201, { token: await sessions.issueBotToken(sql, notify, application_id, caller.ip) })
        })
      },
      {
        params,
        body: NoBody,
        detail: {
          summary: 'Replace the token of the application’s bot: the old token is revoked and its sockets close',
          tags,
        },
        response: answers({ 201: BotToken }, 'not_found', 'account_suspended', ...BODY_CODES, ...TOKEN_CODES),
      },
    )

const serverRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/applications',
      async ({ params: { server_id }, query, request }) =>
        cursorList<AddedApplication>(
          request,
          query,
          'oldest',
          (row) => row.application.id,
          (scan) => selectServerBots(parts.sql, server_id, parts.sql`${slice(parts.sql, 'm.user_id', scan)}`),
        ),
      {
        params: z.object({ server_id: DecimalId }),
        query: CursorQuery,
        member: 'none',
        detail: { summary: 'List the bots of a server with their permissions, ordered by id', tags },
        response: answers({ 200: z.array(AddedApplication) }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/applications/:application_id',
      async ({ params: { server_id, application_id: bot_id }, me, caller, body: { permissions }, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        const { bot, isNew } = await addToServer(parts, statusOf, me.id, { server_id, bot_id, permissions })
        if (isNew) await coverName(parts, server_id, bot_id, statusOf)
        return status(isNew ? 201 : 200, bot)
      },
      {
        params: z.object({ server_id: DecimalId, application_id: DecimalId }),
        body: Addition,
        member: 'none',
        detail: {
          summary:
            'Add a bot with its own role to a server (manage_server, manage_roles); 200 if it is a member already',
          tags,
        },
        response: answers(
          { 200: AddedApplication, 201: AddedApplication },
          'banned',
          'forbidden',
          'too_many_roles',
          'too_many_servers',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )

export const applicationRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia()
    .use(botRoutes(parts, sessions, statusOf))
    .use(ownerRoutes(parts, sessions, statusOf))
    .use(serverRoutes(parts, sessions, statusOf))

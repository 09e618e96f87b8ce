import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, PLACE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { EVERYONE_PERMISSIONS } from '../../core/permissions.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import type { Transaction } from '../../database/database.ts'
import { guarded } from '../access/guard.ts'
import { Server } from '../access/model.ts'
import { demandCheapPatterns, demandSmallPrograms } from '../automod/patterns.ts'
import { recordPictures } from '../files/server-picture.ts'
import { join } from '../members/membership.ts'
import type { StatusOf } from '../status/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { fillServer, finishServer } from './create.ts'
import { describeServer } from './describe.ts'
import { NewServer, Template } from './model.ts'
import { giveRolePictures, objectsOf, rolePicturesOf } from './role-pictures.ts'

const tags = ['Servers']

/** Low, because a template can have hundreds of roles and channels. */
const TEMPLATES: BucketPolicy = { name: 'templates', burst: 10, refillPerS: 0.05 }

/** A server without a template: everyone, and a text channel. */
async function fillPlain(sql: Transaction, serverId: number): Promise<void> {
  await sql`insert into roles (server_id, name, permissions, position, is_everyone)
    values (${serverId}, 'everyone', ${EVERYONE_PERMISSIONS}, 0, true)`
  await sql`insert into channels (server_id, name, type, position) values (${serverId}, 'general', 'text', 0)`
}

/** Creating servers, with or without a template, and templates of servers. */
export const templateRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .post(
      '/api/servers',
      async ({ me, caller, body: { template, ...draft }, status }) => {
        await parts.space.demand()
        if (template) {
          await parts.limits.take(caller, TEMPLATES, `user:${me.id}`)
          const patterns = template.automod.flatMap(({ trigger }) => ('patterns' in trigger ? trigger.patterns : []))
          await demandCheapPatterns(patterns)
          demandSmallPrograms(patterns)
        }
        const pictures = template ? await rolePicturesOf(me.id, template) : []
        return recordPictures(parts, objectsOf(pictures), async (sql, emit, notify) => {
          // The account may have been deleted since the request was authenticated.
          const [owner] = await sql`
            select 1 from users where id = ${me.id} and deleted_at is null for no key update`
          found(owner, 'token_revoked')
          const [newServer] = await sql<
            Server[]
          >`insert into servers ${sql({ ...draft, owner_id: me.id })} returning id`
          const { id } = found(newServer, 'internal')
          const created = template ? await fillServer(sql, notify, id, template) : await fillPlain(sql, id)
          if (template && created) await giveRolePictures(sql, id, pictures, created.roles, parts.environment)
          const server = await join(sql, emit, notify, id, { user_id: me.id, status: statusOf(me.id) })
          if (template && created) await finishServer(sql, { server_id: id, user_id: me.id }, template, created)
          return status(201, server)
        })
      },
      {
        body: NewServer,
        detail: {
          summary: 'Create a server with an everyone role and a text channel "general", or from a template',
          description: 'Of `everyone`, a template keeps only the bits that everyone starts with.',
          tags,
        },
        response: answers(
          { 201: Server },
          'too_many_servers',
          'too_many_roles',
          'too_many_channels',
          'too_many_categories',
          'channel_name_taken',
          'role_too_strong',
          'too_many_bytes',
          'pattern_too_costly',
          'storage_full',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get(
      '/api/servers/:server_id/template',
      async ({ member, me, caller }) => {
        await parts.limits.take(caller, TEMPLATES, `user:${me.id}`)
        return describeServer(parts, member)
      },
      {
        params: z.object({ server_id: DecimalId }),
        member: 'none',
        detail: {
          summary: 'Get a server as a template for new ones, as far as the caller sees it',
          description: 'Without bots, members, webhooks, invites and alerts; AutoMod only with manage_server.',
          tags,
        },
        response: answers({ 200: Template }, 'template_too_large', ...PLACE_CODES),
      },
    )

import { z } from 'zod'
import { found, PLACE_CODES, Problem } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { IGNORED_DAYS, IGNORED_MAX, IgnoredReporter } from './model.ts'

const tags = ['Reports']
const Server = z.object({ server_id: DecimalId })
const Reporter = Server.extend({ user_id: DecimalId })

/**
 * Reporters whose reports a moderator does not see. Others see them, so that nobody silences a reporter for everybody.
 */
export const ignoringRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/ignored-reporters',
      async ({ params: { server_id }, query, request, me }) =>
        offsetList<IgnoredReporter>(
          request,
          query,
          (limit, offset) => parts.sql`
            select public_user(u) as user, i.until from ignored_reporters i join users u on u.id = i.reporter_id
            where i.server_id = ${server_id} and i.moderator_id = ${me.id} and i.until > now()
            order by i.reporter_id limit ${limit} offset ${offset}`,
        ),
      {
        params: Server,
        query: OffsetQuery,
        member: 'moderate_members',
        detail: { summary: 'List the reporters that the caller ignores', tags },
        response: answers({ 200: z.array(IgnoredReporter) }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/ignored-reporters/:user_id',
      async ({ params: { server_id, user_id }, me, status }) => {
        if (user_id === me.id) throw new Problem('cannot_target_self')
        await parts.write(async (sql) => {
          await sql`select 1 from users where id = ${me.id} for no key update`
          const [reporter] = await sql`select 1 from users u where id = ${user_id} and deleted_at is null and exists (
            select from report_reasons o join reports r on r.id = o.report_id
            where o.reporter_id = u.id and r.server_id = ${server_id} and sees_report(r, ${me.id}))`
          found(reporter)
          const [row] = await sql<{ count: number }[]>`select count(*) as count from ignored_reporters
            where server_id = ${server_id} and moderator_id = ${me.id} and until > now()`
          if (found(row, 'internal').count >= IGNORED_MAX) throw new Problem('too_many_settings')
          await sql`insert into ignored_reporters (server_id, moderator_id, reporter_id, until)
            values (${server_id}, ${me.id}, ${user_id}, now() + ${IGNORED_DAYS} * interval '1 day')
            on conflict (server_id, moderator_id, reporter_id) do update set until = excluded.until`
        })
        return status(204, undefined)
      },
      {
        params: Reporter,
        member: 'moderate_members',
        detail: {
          summary: `Ignore a reporter for ${IGNORED_DAYS} days`,
          description: 'The caller does not see reports that only ignored accounts have made; other moderators do.',
          tags,
        },
        response: answers({ 204: Nothing }, 'cannot_target_self', 'too_many_settings', ...PLACE_CODES),
      },
    )
    .delete(
      '/api/servers/:server_id/ignored-reporters/:user_id',
      async ({ params: { server_id, user_id }, me, status }) => {
        const [row] = await parts.write(
          (sql) => sql`delete from ignored_reporters
            where server_id = ${server_id} and moderator_id = ${me.id} and reporter_id = ${user_id} returning 1`,
        )
        found(row)
        return status(204, undefined)
      },
      {
        params: Reporter,
        member: 'moderate_members',
        detail: { summary: 'No longer ignore a reporter', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )

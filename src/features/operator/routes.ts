import { Elysia } from 'elysia'
import { z } from 'zod'
import { lastBackups, lastCheck } from '../../backup/record.ts'
import { measureVolume } from '../../core/disk-space.ts'
import { BODY_CODES, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, Done, NoBody } from '../../core/schema.ts'
import { VERSION } from '../../core/version.ts'
import { isJobLocked } from '../../database/job-lock.ts'
import type { Caller } from '../../http/caller.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import type { Installation } from '../operations/metrics.ts'
import type { OptionalStates } from '../operations/states.ts'
import type { Sessions } from '../sessions/store.ts'
import { operatorAccountRoutes } from './account-routes.ts'
import { act } from './act.ts'
import { CachedFigures } from './figures.ts'
import { operating, OPERATING } from './guard.ts'
import { healthOf } from './health.ts'
import { logEntries } from './log.ts'
import { AdminLogEntry, Backups, FiguresNow, PartHealth, Sample, SpanQuery, Storage } from './model.ts'
import { OutsideServers } from './outside.ts'
import { operatorPlaceRoutes } from './place-routes.ts'
import { operatorReportRoutes } from './report-routes.ts'
import { samplesOf } from './samples.ts'

const tags = ['Operator']
const CODES = [...TOKEN_CODES, 'not_found', 'proof_required'] as const
const BACKUPS_SHOWN = 20
const LARGEST_SHOWN = 10

/** The operator's page: everything below /api/operator. */
export const operatorRoutes = (parts: Parts, sessions: Sessions, states: OptionalStates, installation: Installation) =>
  new Elysia()
    .use(operatorAccountRoutes(parts, sessions))
    .use(operatorPlaceRoutes(parts, sessions))
    .use(operatorReportRoutes(parts, sessions))
    .use(stateRoutes(parts, sessions, states, installation))
    .use(backupRoutes(parts, sessions, installation))

/** Activity, size and health of the installation. */
const stateRoutes = (parts: Parts, sessions: Sessions, states: OptionalStates, installation: Installation) => {
  const cachedFigures = new CachedFigures(parts.sql)
  const outsideServers = new OutsideServers(parts.environment)
  const health = (caller: Caller) =>
    healthOf(parts, states, installation, installation.backups.failure, outsideServers, caller)
  return new Elysia({ prefix: '/api/operator' })
    .use(operating(parts, sessions))
    .get(
      '/figures',
      async ({ me, caller }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { schema_version } = installation
        const { figures, counted_at } = await cachedFigures.now()
        return { version: VERSION, schema_version, counted_at, ...figures }
      },
      {
        detail: { summary: 'Get counts and sizes of the installation', tags },
        response: answers({ 200: FiguresNow }, ...CODES),
      },
    )
    .get('/samples', async ({ query: { span } }) => samplesOf(parts.sql, span), {
      query: SpanQuery,
      detail: { summary: 'Get figures over time, oldest first; at most about 300 points', tags },
      response: answers({ 200: z.array(Sample) }, ...SHAPE_CODES, ...CODES),
    })
    .get('/health', async ({ caller }) => health(caller), {
      detail: { summary: 'Get the health of each part, as seen by the answering process', tags },
      response: answers({ 200: z.array(PartHealth) }, ...CODES),
    })
    .get(
      '/storage',
      async ({ me, caller }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { figures } = await cachedFigures.now()
        const { database_bytes, files, file_bytes, objects_to_remove } = figures
        const sizes = { database_bytes, files, file_bytes, objects_to_remove }
        const { result } = await act(parts.write, { me }, 'storage', async ({ sql }) => {
          const largest = await sql<Storage['largest']>`select id, username, stored_bytes from users
            where deleted_at is null and stored_bytes > 0 order by stored_bytes desc, id limit ${LARGEST_SHOWN}`
          const data = (await measureVolume(parts.environment.DATA_DIR)) ?? null
          return { result: { data, ...sizes, largest: [...largest] }, changes: { shown: largest.map(({ id }) => id) } }
        })
        return result
      },
      {
        detail: { summary: 'Get storage use, and the accounts that use the most', tags },
        response: answers({ 200: Storage }, ...CODES),
      },
    )
    .get(
      '/log',
      async ({ query, request }) =>
        cursorList<AdminLogEntry>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => logEntries(parts.sql, parts.sql`${slice(parts.sql, 'id', scan)}`),
        ),
      {
        query: CursorQuery,
        detail: { summary: 'List the admin log, newest first', tags },
        response: answers({ 200: z.array(AdminLogEntry) }, ...SHAPE_CODES, ...CODES),
      },
    )
}

/** Backups that the server makes. */
const backupRoutes = (parts: Parts, sessions: Sessions, { backups, archive }: Installation) => {
  const { environment, sql, write, limits } = parts
  const state = async () => ({
    every: environment.BACKUP_EVERY,
    keep: environment.BACKUP_KEEP,
    running: await isJobLocked(sql, 'backup'),
    failure: backups.failure ?? null,
    last: [...(await lastBackups(sql, BACKUPS_SHOWN))],
    check: (await lastCheck(sql)) ?? null,
    archive: archive?.facts ?? null,
  })
  return new Elysia({ prefix: '/api/operator' })
    .use(operating(parts, sessions))
    .get('/backups', state, {
      detail: { summary: 'List the newest backups, and the running one', tags },
      response: answers({ 200: Backups }, ...CODES),
    })
    .post(
      '/backups',
      async ({ me, caller, status }) => {
        await limits.take(caller, OPERATING, `user:${me.id}`)
        await act(write, { me }, 'backup', async () => {
          if (await isJobLocked(sql, 'backup')) throw new Problem('backup_running')
          return {}
        })
        if (!backups.runNow()) throw new Problem('backup_running')
        return status(202, { message: 'The backup has begun' })
      },
      {
        body: NoBody,
        detail: {
          summary: 'Start a backup now',
          description: 'It counts towards BACKUP_KEEP, so the oldest backup may be deleted.',
          tags,
        },
        response: answers({ 202: Done }, 'backup_running', ...BODY_CODES, ...CODES),
      },
    )
}

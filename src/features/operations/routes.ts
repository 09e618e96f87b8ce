import { Elysia } from 'elysia'
import { z } from 'zod'
import { measureVolume } from '../../core/disk-space.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import { isSameSecret } from '../../core/same-secret.ts'
import { answers, Time } from '../../core/schema.ts'
import { type Installation, registerInstallation } from './metrics.ts'
import { byAddress } from '../sessions/identity.ts'
import { databaseState, objectStoreState, type OptionalStates } from './states.ts'

const tags = ['Operations']
const Health = z.object({ status: z.literal('ok') }).meta({ title: 'Health' })
const Part = z.enum(['ok', 'away'])
const Store = z
  .enum(['ok', 'full', 'away'])
  .describe('full: it reads and deletes, and has too little space for new content')
const Readiness = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'away'])
      .describe('degraded: it serves, but a part is full, or other processes are reached only through the database'),
    parts: z
      .object({
        database: Store,
        bus: Part,
        object_store: Store,
        archive: z
          .enum(['ok', 'begins', 'full', 'away'])
          .optional()
          .describe(
            'with WAL_ARCHIVE; begins: it has no full copy yet; full, away: changes wait, and the server is degraded',
          ),
        turn: z.string().describe('`ok`, `off`, `starting`, or why it does not run; the server is ready without it'),
        sfu: z.string().meta({
          description:
            '`building`, `ready`, `restarting`, `off`, or the reason for having none; does not affect readiness',
          example: 'ready',
        }),
      })
      .optional(),
    schema_version: z.int().optional().describe('number of the newest migration of the database'),
    data: z
      .object({ free_bytes: z.int(), size_bytes: z.int() })
      .nullable()
      .optional()
      .describe('the file system of `DATA_DIR`; null where it cannot be measured'),
    backup: z
      .object({ at: Time.describe('the moment that it holds'), bytes: z.int() })
      .nullable()
      .optional()
      .describe('the last backup that was completed; null when there is none'),
    archived_until: Time.nullable()
      .optional()
      .describe('with WAL_ARCHIVE: the newest moment that can be restored; null when there is none'),
    retention: z
      .object({
        places: z.int().describe('channels and conversations with messages that are older than they may be'),
        overdue_s: z.int().describe('how long ago the oldest message or file should have been deleted'),
      })
      .optional(),
    proxy: z
      .enum(['direct', 'named', 'silent', 'untrusted'])
      .optional()
      .describe(
        'how this request came: `named`: through a trusted proxy that sends X-Forwarded-For; `silent`: without that ' +
          'header; `untrusted`: with it, from an address that TRUSTED_PROXIES does not name',
      ),
  })
  .meta({ title: 'Readiness' })

/** A separate limit, because load balancers and scrapers may share an address with other clients. */
const PROBES: BucketPolicy = { name: 'probes', burst: 200, refillPerS: 50 }

/**
 * Health, readiness and metrics, without a token.
 * @param states the states of optional parts, which do not affect readiness
 */
export const operationRoutes = (parts: Parts, states: OptionalStates, installation: Installation) => {
  const { bus, environment, metrics } = parts
  registerInstallation(parts, installation)
  const mayLook = (request: Request): boolean => {
    const token = environment.METRICS_TOKEN
    if (token !== undefined && isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${token}`)) return true
    // A request through a proxy comes from elsewhere, even if the proxy runs on this machine and names no client.
    const { ip, way } = callerOf(request)
    return way === 'direct' && (ip === '::1' || ip.startsWith('127.'))
  }
  return new Elysia()
    .use(byAddress(parts, PROBES))
    .get('/healthz', async () => ({ status: 'ok' as const }), {
      detail: { summary: 'Alive', security: [], tags },
      response: answers({ 200: Health }),
    })
    .get(
      '/readyz',
      async ({ request, status }) => {
        const [database, object_store] = await Promise.all([databaseState(parts), objectStoreState(parts)])
        const optional = { turn: states.turn(), sfu: states.sfu() }
        const { way: proxy } = callerOf(request)
        const backup = await installation.backup.read()
        const { places, overdue_s } = installation.retention.backlog
        const archive = installation.archive?.facts
        const details = mayLook(request) && {
          parts: {
            database,
            bus: bus.state(),
            object_store,
            ...(archive ? { archive: archive.state } : {}),
            ...optional,
          },
          ...(archive ? { archived_until: archive.until } : {}),
          schema_version: installation.schema_version,
          data: (await measureVolume(environment.DATA_DIR)) ?? null,
          backup: backup ? { at: backup.at, bytes: backup.bytes } : null,
          retention: { places, overdue_s: Math.round(overdue_s) },
          proxy,
        }
        const isReady = database !== 'away' && object_store !== 'away'
        const isArchived = archive === undefined || archive.state === 'ok' || archive.state === 'begins'
        const isWell = [database, object_store, bus.state()].every((state) => state === 'ok') && isArchived
        const health = isWell ? 'ok' : 'degraded'
        return status(isReady ? 200 : 503, { status: isReady ? health : 'away', ...details })
      },
      {
        detail: { summary: 'Ready; the state of each part from loopback or with METRICS_TOKEN', security: [], tags },
        response: { ...answers({ 200: Readiness }), 503: Readiness },
      },
    )
    .get(
      '/metrics',
      async ({ request, set }) => {
        if (!mayLook(request)) throw new Problem('not_found')
        set.headers['content-type'] = metrics.registry.contentType
        return metrics.registry.metrics()
      },
      {
        detail: { summary: 'Prometheus metrics, from loopback or with METRICS_TOKEN', security: [], tags },
        response: answers({ 200: z.string().meta({ example: 'parley_gateway_sockets 12\n' }) }, 'not_found'),
      },
    )
}

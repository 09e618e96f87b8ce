import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Elysia } from 'elysia'
import { VERSION } from './core/version.ts'
import { openApp } from './api/app.ts'
import { events } from './api/asyncapi.ts'
import { openEdge } from './api/edge.ts'
import { listen } from './api/listen.ts'
import { AutomaticBackups } from './backup/automatic.ts'
import { BackupChecks } from './backup/checks.ts'
import { moveToOwnMajor } from './backup/major.ts'
import { demandNoHalfRestore } from './backup/target.ts'
import { backUpBeforeUpgrade } from './backup/upgrade.ts'
import { endArchive } from './backup/wal/slots.ts'
import type { WalArchive } from './backup/wal/wal-archive.ts'
import { openCluster } from './cluster/cluster.ts'
import { Draining } from './cluster/draining.ts'
import { DiskSpace } from './core/disk-space.ts'
import { refuseToBoot } from './core/errors.ts'
import { type Log, logFullness, openLog } from './core/log.ts'
import { openMetrics } from './core/metrics.ts'
import { demandAccess } from './database/data-directory.ts'
import { type DatabaseAddress, openDatabase, openLongConnection, writeProbe } from './database/database.ts'
import { clusterOf } from './database/embedded-instance.ts'
import { startEmbeddedPostgres } from './database/embedded-postgres.ts'
import { lockDataDirectory } from './database/file-lock.ts'
import { migrate } from './database/migrate.ts'
import { openReplicas } from './database/open-replicas.ts'
import { demandOwnSessions, reach } from './database/reach.ts'
import { fileSecrets, sharedSecrets } from './database/secrets.ts'
import { openSweeper } from './database/sweeper.ts'
import type { Environment } from './environment.ts'
import { renewLogOrigin } from './events/log-origin.ts'
import { SendCoordinator } from './events/send-coordinator.ts'
import { openWrite } from './events/write.ts'
import { announceEntries } from './features/audit/news.ts'
import { Erasure } from './features/lifecycle/erasure.ts'
import { GuestEnds } from './features/lifecycle/guest-ends.ts'
import { OrphanedBots } from './features/lifecycle/orphaned-bots.ts'
import { ServerRemoval } from './features/lifecycle/server-removal.ts'
import { Automod } from './features/automod/automod.ts'
import { AutomodHitRemoval } from './features/automod/hit-removal.ts'
import { ProfileAnnouncements } from './features/accounts/profile-announcements.ts'
import { CallUpkeep } from './features/calls/upkeep.ts'
import { EmptyGroups } from './features/groups/empty-groups.ts'
import { ThreadKeeper } from './features/threads/thread-keeper.ts'
import { UnusedDms } from './features/groups/unused-dms.ts'
import { EarlierFiles } from './features/files/earlier-files.ts'
import { ObjectDeletions } from './features/files/object-deletions.ts'
import { mayUpload, withdrawUpload } from './features/files/upload.ts'
import { AuthorshipMoves } from './features/imports/authorship.ts'
import { MailSender } from './features/mail/sender.ts'
import { BlindSignups, EventReminders, OldEvents } from './features/calendar/upkeep.ts'
import { EmptiedForwards } from './features/messages/emptied-forwards.ts'
import { LastBackup } from './features/operations/last-backup.ts'
import { schemaVersion } from './features/operations/metrics.ts'
import { Samples } from './features/operator/samples.ts'
import { Destinations } from './features/previews/destinations.ts'
import { LinkPreviews } from './features/previews/link-previews.ts'
import { WebFetcher } from './features/previews/web-fetcher.ts'
import { PushNotices } from './features/push/push-notices.ts'
import { PushServices } from './features/push/push-services.ts'
import { AuthorPrunes } from './features/retention/author-prunes.ts'
import { Retention } from './features/retention/retention.ts'
import { CaseExpiry } from './features/cases/expiry.ts'
import { ReportExpiry } from './features/reports/expiry.ts'
import { Reminders } from './features/saved/reminders.ts'
import { ScheduledSends } from './features/scheduled/scheduled-sends.ts'
import { SearchIndexer } from './features/search/indexer.ts'
import { BanEnds } from './features/members/ban-ends.ts'
import { openAutomodActs } from './features/members/automod-acts.ts'
import { OldJoins } from './features/members/raids.ts'
import { BanSweeps } from './features/members/ban-sweeps.ts'
import { PollEnds } from './features/messages/poll-ends.ts'
import { SendGroups } from './features/messages/send-groups.ts'
import { Prunes } from './features/members/prunes.ts'
import { QuarantineEnds } from './features/members/quarantine.ts'
import { VerificationEnds, VerificationSweeps } from './features/members/verification.ts'
import { TemporaryEnds } from './features/members/temporary.ts'
import { TimeoutEnds } from './features/members/timeouts.ts'
import { Sessions } from './features/sessions/store.ts'
import { StatusEnds } from './features/status/choose.ts'
import { openDiscord } from './discord/discord.ts'
import { openCommands } from './gateway/commands.ts'
import { Gateway } from './gateway/gateway.ts'
import { withForeign } from './gateway/foreign-sockets.ts'
import { socketHandlers } from './gateway/socket-handlers.ts'
import { openLimits } from './http/limits/limits.ts'
import type { Parts } from './parts.ts'
import { openObjects } from './storage/open-objects.ts'
import { announce } from './turn/announced-address.ts'
import { openTurn, type Turn } from './turn/thread.ts'
import { Sfu } from './voice/sfu/sfu.ts'
import { openVoice, type Voice } from './voice/voice.ts'

/** How long running requests may take when the server stops. */
const DRAIN_SECONDS_MAX = 5

export interface Parley {
  /** Its address, e.g. `http://127.0.0.1:3000`. */
  url: string
  parts: Parts
  turn: Turn
  sfu: Sfu
  /** The declared REST routes, for the contract tests. */
  routes: Elysia['routes']
  /** The archive of WAL_ARCHIVE, if it is set. */
  archive: WalArchive | undefined
  /** Runs the background jobs now. */
  sweep(): Promise<void>
  /** Reloads TLS_CERT and TLS_KEY if the files have changed. Also happens automatically within seconds. */
  renewCertificate(): void
  /**
   * Before `stop`: stops accepting connections, and closes the sockets over up to 30 s, so that their clients resume on
   * other processes. Returns at once if there is no other one.
   * @param signal ends it early
   */
  drain(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

/**
 * Opens every component in this order. `stop` closes them in reverse, and so does a failure to start.
 * @throws RefusesToBoot with one sentence for the operator
 */
export async function startParley(configured: Environment): Promise<Parley> {
  await using opened = new AsyncDisposableStack()
  const log = openLog(configured.LOG_LEVEL)
  const environment = await announce(configured, log)
  const { DATABASE_URL, DATA_DIR, RATE_LIMITS } = environment
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 }).catch(refuseToBoot('DATA_DIR'))
  if (!DATABASE_URL || !environment.S3_ENDPOINT) {
    demandAccess(DATA_DIR)
    opened.defer(await lockDataDirectory(DATA_DIR))
  }
  const { address, embedded, sql, archive } = await openInstallation(environment, log, opened)

  const secrets = DATABASE_URL ? await sharedSecrets(sql) : fileSecrets(DATA_DIR)
  const draining = new Draining(address, log)
  opened.defer(() => draining.stop())
  const cluster = await openCluster(environment, secrets, address, sql, log)
  opened.defer(() => cluster.stop())
  const { bus, nodes, leases } = cluster
  const { objects, probe, directory } = await openObjects(environment, secrets.objects_secret, log, {
    mayStore: (key) => mayUpload(sql, key),
    onUploadFailed: (key) => withdrawUpload(sql, key),
    onStored: archive?.onStored,
  })
  archive?.start()
  opened.defer(() => directory?.close())
  opened.defer(() => probe.stop())
  const space = new DiskSpace(() => writeProbe(sql), embedded && databaseVolume(environment, log))
  const coordinator = new SendCoordinator()
  const { uncertain, send } = cluster
  const noteFailure = (error: unknown) => space.note(error)
  const write = openWrite(sql, bus, events, uncertain, send, noteFailure, coordinator, announceEntries)
  const limits = openLimits(cluster.limiter, RATE_LIMITS === 'on')
  const metrics = openMetrics(VERSION, DATA_DIR, () => sql.pool())
  opened.defer(() => metrics.stop())
  const { DATABASE_REPLICA_URLS, DATABASE_CONNECTIONS } = environment
  const replicas = openReplicas(DATABASE_REPLICA_URLS, DATABASE_CONNECTIONS, sql, metrics.registry, log)
  opened.defer(() => replicas.stop())
  const statusOf = (userId: number) => gateway.presence.statusOf(userId)
  const judge = new Automod({ sql, bus, log }, cluster.limiter, openAutomodActs({ sql, bus, write, log }, statusOf))
  const data = { sql, read: replicas.read, bus, leases, secrets, objects, space, write, judge }
  const parts: Parts = { environment, nodes, log, limits, metrics, ...data }

  const turn = openTurn(parts)
  const sfu = new Sfu(environment, log)
  opened.defer(() => Promise.all([turn.stop(), sfu.stop()]).then(() => {}))
  const voice = openVoice(parts, sfu, turn)
  opened.defer(() => voice.stop())
  const gateway = new Gateway(parts, voice, coordinator)
  opened.defer(() => gateway.stop())
  cluster.onResumeNeeded(() => gateway.closeAll())
  await cluster.start()

  const retention = new Retention(parts)
  const groups = new SendGroups(write, coordinator)
  const sessions = new Sessions(parts)
  const state = { schema_version: await schemaVersion(sql), retention, ...openBackups(parts, address, archive, opened) }
  const app = openApp(parts, sessions, gateway, groups, { voice, sfu, turn }, state)
  const discord = openDiscord(parts, sessions, gateway, groups, voice, app.fetchOwn)
  opened.defer(() => discord?.stop())
  const sockets = withForeign(socketHandlers(parts, gateway, openCommands(parts, gateway, voice)))
  const listener = listen(parts, openEdge(parts, directory), app, sessions, sockets, discord)
  opened.defer(async () => {
    await Promise.race([listener.stop(), Bun.sleep(DRAIN_SECONDS_MAX * 1000)])
    await listener.stop(true)
  })
  listener.onServer((server) => gateway.attach(server))
  opened.defer(() => gateway.closeAll())
  opened.defer(() => discord?.endCalls())

  const jobs = openJobs(parts, gateway, retention, voice)
  opened.defer(() => jobs.forEach((job) => job.stop()))
  sfu.start()
  await turn.started

  // Free the memory that only the start needed. Shrinking during a collection deletes no code.
  Bun.gc(true)
  Bun.shrink()
  const running = opened.move()
  return {
    url: listener.url.origin,
    parts,
    turn,
    sfu,
    archive,
    routes: app.routes,
    async sweep() {
      for (const job of jobs) await job.run()
      await archive?.run()
    },
    renewCertificate: () => listener.renewCertificate(),
    drain: (signal) =>
      draining.run(async (lonely) => {
        void listener.stop()
        discord?.endCalls()
        await voice.handOver.run(lonely)
        await Promise.all([voice.handOver.mediaMoved(lonely), gateway.handOver(lonely)])
      }, signal),
    stop: () => running.disposeAsync(),
  }
}

/** Opens the database, and brings its schema to this version. @throws RefusesToBoot */
async function openInstallation(environment: Environment, log: Log, opened: AsyncDisposableStack) {
  const { DATABASE_URL, DATA_DIR } = environment
  if (!DATABASE_URL) await moveToOwnMajor(environment, log)
  const embedded = DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres(DATA_DIR, log, undefined, archiveSettings(environment))
  opened.defer(() => embedded?.stop())
  const archive = embedded && (await openArchive(environment, embedded.socket, log))
  opened.defer(() => archive?.stop())
  const address = { url: DATABASE_URL, socket: embedded?.socket }
  const sql = openDatabase(address, environment.DATABASE_CONNECTIONS)
  opened.defer(() => sql.end({ timeout: 2 }))
  await reach(sql)
  if (DATABASE_URL) await demandOwnSessions(sql)
  const schema = openLongConnection(address, 'parley-migrate')
  await migrate(schema, { beforeUpgrade: () => backUpBeforeUpgrade(environment, address, log) }).finally(() =>
    schema.end({ timeout: 1 }),
  )
  await demandNoHalfRestore(environment, sql)
  await renewLogOrigin(sql, log)
  return { address, embedded, sql, archive }
}

/** Opens the jobs about backups, and their results. */
function openBackups(
  { environment, sql, log }: Parts,
  address: DatabaseAddress,
  archive: WalArchive | undefined,
  opened: AsyncDisposableStack,
) {
  const backups = new AutomaticBackups(environment, address, log)
  opened.defer(() => backups.stop())
  const checks = new BackupChecks(environment, address, log)
  opened.defer(() => checks.stop())
  return { backup: new LastBackup(sql), backups, archive }
}

/** A second bound for the WAL that waits for the archive, in case this process cannot drop the slot. */
function archiveSettings({ WAL_ARCHIVE, WAL_ARCHIVE_PENDING_BYTES_MAX }: Environment): Record<string, string> {
  if (WAL_ARCHIVE === undefined) return {}
  return { max_slot_wal_keep_size: `${Math.ceil((2 * WAL_ARCHIVE_PENDING_BYTES_MAX) / 1024 ** 2)}MB` }
}

/** Loads the archive only if it is configured. @throws RefusesToBoot */
async function openArchive(environment: Environment, socket: string, log: Log): Promise<WalArchive | undefined> {
  if (environment.WAL_ARCHIVE === undefined)
    return void (await endArchive(clusterOf(join(environment.DATA_DIR, 'postgres')), socket))
  const { WalArchive } = await import('./backup/wal/wal-archive.ts')
  return WalArchive.open(environment, socket, log)
}

/** Background jobs, each run by only one node. */
function openJobs(parts: Parts, gateway: Gateway, retention: Retention, voice: Voice) {
  const statusOf = (userId: number) => gateway.presence.statusOf(userId)
  const callersIn = (channelIds: number[]) => new Set(voice.statesIn(channelIds).map(({ user }) => user.id))
  return [
    openSweeper(parts.sql, parts.environment.RESUME_WINDOW, parts.log),
    new OrphanedBots(parts),
    new GuestEnds(parts),
    new Erasure(parts),
    new ObjectDeletions(parts),
    new EarlierFiles(parts),
    new ProfileAnnouncements(parts),
    new MailSender(parts),
    retention,
    new ServerRemoval(parts),
    new AuthorshipMoves(parts),
    new StatusEnds(parts),
    new TimeoutEnds(parts, statusOf),
    new QuarantineEnds(parts, statusOf),
    new TemporaryEnds(parts, callersIn),
    new AutomodHitRemoval(parts),
    new VerificationEnds(parts, statusOf),
    new VerificationSweeps(parts, statusOf),
    new OldJoins(parts),
    new Prunes(parts),
    new BanSweeps(parts),
    new BanEnds(parts),
    new AuthorPrunes(parts),
    new ReportExpiry(parts),
    new CaseExpiry(parts),
    new Reminders(parts),
    new ScheduledSends(parts),
    new PollEnds(parts),
    new EventReminders(parts),
    new BlindSignups(parts),
    new OldEvents(parts),
    new EmptyGroups(parts),
    new EmptiedForwards(parts),
    new ThreadKeeper(parts),
    new UnusedDms(parts),
    new CallUpkeep(parts),
    new SearchIndexer(parts),
    new Samples(parts),
    new LinkPreviews(parts, new WebFetcher(new Destinations(parts.environment))),
    new PushNotices(parts, new PushServices(parts), gateway.attention),
  ]
}

/** The file system of the embedded PostgreSQL. Uploads need more space and are refused earlier than other content. */
const databaseVolume = ({ DATA_DIR, DISK_FREE_MIN_BYTES }: Environment, log: Log) => ({
  directory: join(DATA_DIR, 'postgres'),
  freeMinBytes: DISK_FREE_MIN_BYTES / 2,
  onChange: logFullness(log, 'database'),
})

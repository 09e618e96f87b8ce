import type { Notice } from '../events/bus.ts'
import { errorFields } from '../core/log.ts'
import { UNCERTAIN_SECONDS } from '../events/uncertain-writes.ts'
import { ephemeralText, topic } from '../core/events.ts'
import { Semaphore } from '../core/semaphore.ts'
import type { Parts } from '../parts.ts'
import { topicsOf } from './access.ts'
import { close } from './model.ts'
import type { ServerNotice } from './server-refresh.ts'
import { accessOf, type ServerViews } from './server-views.ts'
import { closeWith, isOpen, isSubscribed, type Socket, subscriptionsOf, unsubscribe } from './socket.ts'
import type { SocketRegistry } from './socket-registry.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Accounts rechecked per group, and concurrent groups. */
const RECHECKED_TOGETHER = 32
const RECHECKS_AT_ONCE = 4

/** Applies notices of revoked sessions and changed access to the sockets of this node. */
export class AccessNotices {
  /** Numbers the rechecks of all sockets: a newer one cancels the older. */
  #recheck = 0

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'log' | 'bus'>,
    private readonly registry: SocketRegistry,
    private readonly views: ServerViews,
    private readonly subscriptions: Subscriptions,
  ) {}

  /** Resolves when the subscriptions of every socket match the notice, or the socket is closed. */
  async act(notice: Notice): Promise<void> {
    switch (notice.kind) {
      case 'sessions_revoked':
        return this.#closeSessions(new Set(notice.session_ids))
      case 'access_changed':
        return this.#refreshAll(notice.user_ids.flatMap(this.registry.ofUser))
      case 'server_access_changed':
        return this.#refreshServer(notice)
      case 'participant_changed':
        return this.#followGroup(notice)
      case 'server_deleted':
        return this.#unsubscribeAll(notice.server_id)
      case 'disconnected':
        return this.views.forgetAll()
      case 'recheck_all':
        this.views.forgetAll()
        return this.#recheckAll(notice.since)
    }
  }

  /** Drops a group's events from backlogs of an account that left it. */
  #followGroup({ user_id, channel_id, is_in }: Extract<Notice, { kind: 'participant_changed' }>): void {
    for (const { data } of this.registry.ofUser(user_id)) {
      // A backlog being read has the account's old access.
      if (data.refreshing) data.accessChanged = true
      if (is_in) data.lostChannels?.delete(channel_id)
      else if (data.backlogs > 0) (data.lostChannels ??= new Set()).add(channel_id)
    }
  }

  #closeSessions(sessionIds: ReadonlySet<number>): void {
    for (const socket of this.registry.all())
      if (sessionIds.has(socket.data.session_id)) closeWith(socket, close.revoked)
  }

  async #refreshAll(sockets: Socket[]): Promise<void> {
    await Promise.all(sockets.map((socket) => this.subscriptions.refresh(socket)))
  }

  async #refreshServer(notice: ServerNotice): Promise<void> {
    try {
      await this.subscriptions.refreshServer(this.registry.all(), notice)
    } catch (error) {
      this.parts.log('warn', 'gateway.follow', errorFields(error))
      // Close sockets that cannot be refreshed, so that they do not keep their subscriptions; clients reconnect.
      const name = topic.server(notice.server_id).topic
      for (const socket of this.registry.all()) if (isSubscribed(socket, name)) closeWith(socket, close.unknown)
    }
  }

  #unsubscribeAll(server_id: number): void {
    const name = topic.server(server_id).topic
    // If false, the event was dropped, and the log will deliver it only after everyone is unsubscribed.
    const isTold = this.parts.bus.receivesNotices()
    for (const socket of this.registry.all()) {
      if (!isTold && isSubscribed(socket, name)) socket.send(ephemeralText('server.deleted', { id: server_id }))
      unsubscribe(socket, name)
      unsubscribe(socket, topic.invites(server_id).topic)
    }
  }

  /**
   * Compares every socket with the database, after this node may have missed notices. A failed recheck closes no
   * socket: it rejects, and the notice is repeated.
   */
  async #recheckAll(since?: Date): Promise<void> {
    const recheck = ++this.#recheck
    // Sockets opened from now on read the database in their handshake.
    const sockets = this.registry.all()
    await this.#closeEndedSessions(sockets)
    if (since) await this.#tellFlipped(sockets, since)
    const semaphore = new Semaphore(RECHECKS_AT_ONCE, Infinity)
    const accounts = [...Map.groupBy(sockets.filter(isOpen), (socket) => socket.data.user_id)]
    const groups = Array.from({ length: Math.ceil(accounts.length / RECHECKED_TOGETHER) }, (_, at) =>
      accounts.slice(at * RECHECKED_TOGETHER, (at + 1) * RECHECKED_TOGETHER),
    )
    await Promise.all(
      groups.map((group) =>
        semaphore.run(async () => {
          if (recheck === this.#recheck) await this.#recheckAccounts(new Map(group))
        }),
      ),
    )
  }

  /**
   * Handles channels that became or ceased to be restricted meanwhile. Sockets that saw that channel through its
   * server's topic have the same subscriptions before and after, so comparing them finds nothing.
   */
  async #tellFlipped(sockets: Socket[], since: Date): Promise<void> {
    const seconds = (Date.now() - since.getTime()) / 1000 + UNCERTAIN_SECONDS
    const flippedChannels = await this.parts.sql<{ id: number; server_id: number; restricted: boolean }[]>`
      select id, server_id, restricted from channels
      where flipped_at > now() - ${seconds} * interval '1 second'`
    for (const [server_id, rows] of Map.groupBy(flippedChannels, (row) => row.server_id)) {
      const ids = (isRestricted: boolean) => rows.filter((row) => row.restricted === isRestricted).map(({ id }) => id)
      // Not #refreshServer, because a failed recheck must not close sockets.
      await this.subscriptions.refreshServer(sockets, {
        kind: 'server_access_changed',
        server_id,
        hidden: ids(true),
        revealed: ids(false),
      })
    }
  }

  async #closeEndedSessions(sockets: Socket[]): Promise<void> {
    const ids = sockets.map((socket) => socket.data.session_id)
    const rows = await this.parts.sql<{ id: number }[]>`select id from sessions where id = any(${ids})`
    const living = new Set(rows.map((row) => row.id))
    for (const socket of sockets) if (!living.has(socket.data.session_id)) closeWith(socket, close.revoked)
  }

  /** Refreshes sockets whose subscriptions do not match their account's access. */
  async #recheckAccounts(accounts: Map<number, Socket[]>): Promise<void> {
    const { memberships } = await this.views.read((_sql, load) => load([...accounts.keys()]))
    const differing = [...accounts].flatMap(([user_id, sockets]) => {
      const topics = topicsOf(accessOf(user_id, memberships.get(user_id) ?? []))
      return sockets.filter(
        (socket) =>
          socket.data.state !== 'live' ||
          socket.data.refreshing ||
          subscriptionsOf(socket).symmetricDifference(topics).size > 0,
      )
    })
    await this.#refreshAll(differing)
  }
}

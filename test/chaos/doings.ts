import { permissions } from '../../src/core/permissions.ts'
import { ACT_SECONDS_MAX } from '../../src/events/notice-listener.ts'
import { isUncertain } from './api.ts'
import type { Client, Surroundings } from './client.ts'
import type { Sent } from './ledger.ts'
import type { Change, Plan } from './plan.ts'
import type { Place, World } from './world.ts'

const SEND_MS_MAX = 10_000
const EDIT_AFTER_MS = 800
/** A request whose answer was lost is repeated after this time. */
const SETTLE_MS = 1500

type Done = (begunAt: number, acknowledgedAt: number) => void

/** Carries out the plan by the clients, and records it in the ledger. */
export class Doings {
  /** Unfinished actions. */
  underway = 0
  /** Called for every acknowledged send. */
  onSent: Done = () => {}
  /** Messages of one client go one after another, and so do the changes of a server. */
  readonly #turns = new Map<string, Promise<void>>()
  /** The outcome of each request for a change, by server and client: to explain a violation. */
  readonly #diary = new Map<string, string[]>()

  constructor(
    private readonly clients: Client[],
    private readonly world: World,
    private readonly around: Surroundings,
  ) {}

  #inTurn(whose: string, work: () => Promise<void>): void {
    this.underway++
    const turn = (this.#turns.get(whose) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      if (!this.around.ended.aborted) this.around.ledger.violations.push(`${whose}: ${String(error)}`)
    })
    this.#turns.set(whose, turn)
    void turn.then(() => this.underway--)
  }

  #client = (n: number) => this.clients[n] as Client
  #place = (server: number) => this.world.places[server] as Place

  send(planned: Plan['sends'][number], n: number): void {
    const { client, server, channel, afterwards } = planned
    const sent: Sent = { nonce: `m${n}`, client, server, channel }
    this.around.ledger.sent.set(sent.nonce, sent)
    this.#inTurn(`client ${client}`, async () => {
      await this.#send(sent)
      if (sent.id === undefined || !afterwards) return
      this.underway++
      void this.#afterwards(sent, afterwards).finally(() => this.underway--)
    })
  }

  async #send(sent: Sent): Promise<void> {
    const { api, counts, ledger, ended } = this.around
    const path = `/api/channels/${this.#place(sent.server).channels[sent.channel]}/messages`
    const { token } = this.#client(sent.client)
    const body = { content: `${sent.nonce} ${'of the storm '.repeat(6)}`, nonce: sent.nonce }
    counts.sends++
    for (let attempt = 0; !ended.aborted; attempt++) {
      const beganAt = Date.now()
      sent.begun_at ??= beganAt
      const { status, body: answer } = await api.call(token, 'POST', path, body, { ms_max: SEND_MS_MAX })
      const now = Date.now()
      if (status === 200 || status === 201) {
        Object.assign(sent, { id: answer.id, acknowledged_at: now })
        counts.acknowledged++
        if (status === 200) counts['sends found to be there already']++
        this.#client(sent.client).see(answer.id)
        return this.onSent(beganAt, now)
      }
      if (!isUncertain({ status, body: answer })) {
        Object.assign(sent, { refused: status })
        counts.refused++
        const span = ledger.spans(sent.client, sent.server, sent.channel).at(-1)
        const isAllowed = span?.to === Infinity && span.from <= beganAt
        if (isAllowed || (status !== 404 && status !== 403))
          ledger.violations.push(`${sent.nonce} of client ${sent.client} was refused: ${status} ${answer?.code}`)
        return
      }
      counts['sends repeated']++
      await Bun.sleep(50 + Math.random() * 250)
    }
  }

  async #afterwards(sent: Sent, what: 'edit' | 'delete' | 'read'): Promise<void> {
    const author = this.#client(sent.client)
    const { counts } = this.around
    await Bun.sleep(EDIT_AFTER_MS)
    if (what === 'read') {
      counts['channels read']++
      author.read(this.#place(sent.server).channels[sent.channel], sent.id ?? 0)
      return
    }
    this.#inTurn(`client ${sent.client}`, async () => {
      if (what === 'delete') sent.deleted = 'maybe'
      counts[what === 'delete' ? 'deletions' : 'edits']++
      const [method, body] = what === 'delete' ? ['DELETE', undefined] : ['PUT', { content: `${sent.nonce} edited` }]
      const { status } = await author.insist(method as string, `/api/messages/${sent.id}`, body)
      if (what === 'delete' && status === 204) sent.deleted = 'yes'
      if (status >= 500) this.around.ledger.violations.push(`${method} of ${sent.nonce}: ${status}`)
    })
  }

  /** A change of memberships or permissions, by an account that may make it: repeated until it is certain. */
  change(change: Change): void {
    const { counts, ledger } = this.around
    this.#inTurn(`server ${change.server}`, async () => {
      counts.changes++
      ledger.begin(change)
      let isAnswered = true
      for (const request of this.#requests(change))
        isAnswered = (await this.#certainly(change, ...request)) && isAnswered
      // The repetition has found the change in the database; the first request may still wait for other processes,
      // and only its answer would promise that they have applied the change.
      if (!isAnswered) await Bun.sleep(ACT_SECONDS_MAX * 1000 + SETTLE_MS)
      const requests = this.#diary.get(aboutOf(change)) ?? []
      for (const client of ledger.end(change, requests)) this.#client(client).fence(ledger.losses)
    })
  }

  /** @returns the request that made the change was answered */
  async #certainly(change: Change, who: number, method: string, path: string, body?: unknown): Promise<boolean> {
    const { api, counts, ledger, ended } = this.around
    const about = aboutOf(change)
    const diary = this.#diary.get(about) ?? []
    this.#diary.set(about, diary)
    const time = () => new Date().toISOString().slice(14, 23)
    // The status if an attempt with a lost answer has already made the change.
    const already = change.kind === 'join' || change.kind === 'grant' ? [409] : [403, 404, 409]
    for (let attempt = 0; ; attempt++) {
      const answer = await api.call(this.#client(who).token, method, path, body, { once: true })
      diary.push(`${time()} ${change.kind} ${answer.status}`)
      if (!isUncertain(answer)) {
        const isRepeated = attempt > 0 && already.includes(answer.status)
        if (answer.status < 200 || (answer.status > 299 && !isRepeated))
          ledger.violations.push(
            `${method} ${path}: ${answer.status} ${answer.body?.code}; so far of server ${change.server} and client ` +
              `${change.client}: ${diary.join(', ')}`,
          )
        return !isRepeated
      }
      ended.throwIfAborted()
      counts['changes repeated']++
      await Bun.sleep(SETTLE_MS)
    }
  }

  /** The accounts that send the request, with its method and path. */
  #requests({
    kind,
    server,
    client,
    channel = 'hall',
  }: Change): [who: number, method: string, path: string, body?: unknown][] {
    const { server_id, channels, everyone_id, key_id, invite } = this.#place(server)
    const here = `/api/servers/${server_id}`
    const { id } = this.#client(client)
    const permissionsPath = `/api/channels/${channels[channel]}/permissions/${everyone_id}`
    switch (kind) {
      case 'join':
        return [[client, 'POST', `/api/invites/${invite}/join`]]
      case 'leave':
        return [[client, 'DELETE', `${here}/members/@me`]]
      case 'kick':
        return [[server, 'DELETE', `${here}/members/${id}`]]
      case 'ban':
        return [
          [server, 'PUT', `${here}/bans/${id}`, {}],
          [server, 'DELETE', `${here}/bans/${id}`],
        ]
      case 'grant':
        return [[server, 'POST', `${here}/members/${id}/roles/${key_id}`]]
      case 'take':
        return [[server, 'DELETE', `${here}/members/${id}/roles/${key_id}`]]
      case 'hide':
        return [[server, 'PUT', permissionsPath, { deny: permissions('view_channel') }]]
      case 'open':
        return [[server, 'DELETE', permissionsPath]]
    }
  }
}

const aboutOf = ({ server, client }: Change): string => `${server}:${client}`

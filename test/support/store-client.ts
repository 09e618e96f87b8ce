import { expect } from 'bun:test'
import { events } from '../../src/api/asyncapi.ts'
import { type ParleyClient, openClient } from '../../src/web/client/client.ts'
import type { EventFrame } from '../../src/web/client/gateway.ts'
import { resourceOf } from '../../src/web/client/resources.ts'
import { fetchInvites } from '../../src/web/state/invites.ts'
import { fetchMembers } from '../../src/web/state/member-lists.ts'
import { Store } from '../../src/web/state/store.ts'
import { Loader } from '../../src/web/state/loader.ts'
import { ClientMemory, type Row } from './client-memory.ts'
import { stateOf } from './client-state.ts'
import { type Person, until } from './harness.ts'

/** The web client's own code without a page: in this process, with a bearer token. */
export class StoreClient {
  readonly store = new Store()
  readonly client: ParleyClient
  readonly loader: Loader
  /** Types of the durable events that were delivered: live, or in a replay. */
  readonly met = { live: new Set<string>(), replay: new Set<string>() }

  private constructor(
    readonly who: Person,
    firstServers?: number[],
  ) {
    const { unknown, state } = this.store
    // As the page's client: what is open stays open.
    const servers = (isResuming: boolean) =>
      isResuming ? [0, ...[...state.servers.keys()].filter((id) => !unknown.servers.has(id))] : (firstServers ?? [])
    this.client = openClient({
      base: who.parley.url,
      token: who.token,
      ...(firstServers ? { servers } : {}),
    })
    this.client.gateway.listen((frame) => this.#judge(frame))
    this.loader = new Loader(this.client, this.store)
  }

  /** @param firstServers the servers that a fresh connection opens; all if absent */
  static async open(who: Person, firstServers?: number[]): Promise<StoreClient> {
    const client = new StoreClient(who, firstServers)
    await client.resume()
    return client
  }

  get gateway() {
    return this.client.gateway
  }

  /** The messages that the client holds, by id. */
  get messages(): ClientMemory['messages'] {
    return memoryOf(this).messages
  }

  /** Checks that the client's key of the resource is the one that the server declares. */
  #judge({ t, s, d }: EventFrame): void {
    const declared = events[t]?.resource?.(d)
    expect([t, resourceOf(t, d)]).toEqual([t, declared])
    if (s !== undefined) this.met[this.store.state.isSynced ? 'live' : 'replay'].add(t)
  }

  cut(): void {
    this.gateway.disconnect()
  }

  async resume(): Promise<void> {
    this.gateway.connect()
    await until(() => this.gateway.state === 'online')
    await this.settle()
  }

  /** Applies every frame that was sent, and fetches everything that the account may see. */
  async settle(): Promise<void> {
    const { state } = this.store
    await this.gateway.command('ping')
    await this.loader.catchUp()
    for (const { id } of state.servers.values()) {
      await ifThere(fetchMembers(this.client, this.store, id))
      if (state.may(id, 'manage_server')) await ifThere(fetchInvites(this.client, this.store, id))
    }
    for (const { id: channel_id, server_id } of state.channels.values()) {
      if (server_id !== null) await ifThere(this.loader.overwrites(channel_id))
      await ifThere(this.loader.open({ channel_id }))
    }
    await this.gateway.command('ping')
    await this.loader.catchUp()
  }

  state = (): Row => stateOf(memoryOf(this))
}

/** A resource may be deleted, or become forbidden, before the request. */
const ifThere = (request: Promise<void>) =>
  request.catch((error) => {
    if (![403, 404].includes(error.status)) throw error
  })

/** The client's state in the shape of the model client. */
function memoryOf({ store: { state }, who }: StoreClient): ClientMemory {
  const memory = new ClientMemory(who.id)
  const copy = (from: Map<unknown, unknown>, to: Map<any, any>) => from.forEach((value, key) => to.set(key, value))
  memory.user = state.user ?? {}
  for (const name of ['users', 'servers', 'channels', 'roles', 'emoji', 'stickers', 'invites', 'relations'] as const)
    copy(state[name], memory[name])
  copy(state.settings, memory.notifications)
  for (const id of state.followed) memory.followed.add(id)
  copy(state.ringing, memory.ringing)
  copy(state.reminders, memory.reminders)
  for (const id of state.unsent) memory.unsent.add(id)
  for (const name of ['conversations', 'overwrites', 'ownOverwrites'] as const) copy(state[name], memory[name])
  for (const [server_id, members] of state.members)
    for (const [userId, { user_id: _, ...member }] of members)
      memory.members.set(`${server_id}:${userId}`, { ...member, user: { id: userId } })
  for (const { entries } of state.timelines.values()) for (const entry of entries) memory.messages.set(entry.id, entry)
  return memory
}

import { expect } from 'bun:test'
import { events } from '../../src/api/asyncapi.ts'
import { type Client, openClient } from '../../src/web/client/client.ts'
import type { Frame } from '../../src/web/client/gateway.ts'
import { resourceOf } from '../../src/web/client/resources.ts'
import { Store } from '../../src/web/state/store.ts'
import { Sync } from '../../src/web/state/loader.ts'
import { ClientMemory, type Row } from './client-memory.ts'
import { stateOf } from './client-state.ts'
import { type Person, until } from './harness.ts'

/** The web client without its page: the real one, in this process, by bearer token. */
export class StoreClient {
  readonly store = new Store()
  readonly client: Client
  readonly sync: Sync
  /** Durable events that it was told of, by whether it was in step. */
  readonly met = { live: new Set<string>(), replay: new Set<string>() }

  private constructor(readonly who: Person) {
    this.client = openClient({ base: who.parley.url, token: who.token })
    this.client.gateway.listen((frame) => this.#judge(frame))
    this.sync = new Sync(this.client, this.store)
  }

  static async open(who: Person): Promise<StoreClient> {
    const client = new StoreClient(who)
    await client.resume()
    return client
  }

  get gateway() {
    return this.client.gateway
  }

  /** The messages that it holds, for who reads them. */
  get messages(): ClientMemory['messages'] {
    return memoryOf(this).messages
  }

  /** The keys of this client are the server's declarations, said again without zod. */
  #judge({ t, s, d }: Frame): void {
    const declared = events[t]?.resource?.(d)
    expect([t, resourceOf(t, d)]).toEqual([t, declared])
    if (s !== undefined) this.met[this.store.state.synced ? 'live' : 'replay'].add(t)
  }

  cut(): void {
    this.gateway.disconnect()
  }

  async resume(): Promise<void> {
    this.gateway.connect()
    await until(() => this.gateway.state === 'online')
    await this.settle()
  }

  /** Applies everything that has been sent to it, and looks at everything there is. */
  async settle(): Promise<void> {
    const { state } = this.store
    await this.gateway.command('ping')
    await this.sync.catchUp()
    for (const { id } of state.servers.values()) {
      await ifThere(this.sync.members(id))
      if (state.may(id, 'manage_server')) await ifThere(this.sync.invites(id))
    }
    for (const { id: channel_id } of state.channels.values()) {
      await ifThere(this.sync.overwrites(channel_id))
      await ifThere(this.sync.open({ channel_id }))
    }
    for (const user_id of state.conversations.keys()) await this.sync.open({ user_id })
    await this.gateway.command('ping')
    await this.sync.catchUp()
  }

  state = (): Row => stateOf(memoryOf(this))
}

/** What may be gone, or shut, by the time that it is asked for. */
const ifThere = (asked: Promise<void>) =>
  asked.catch((error) => {
    if (![403, 404].includes(error.status)) throw error
  })

/** What it holds, in the shape that the model of a client has. */
function memoryOf({ store: { state }, who }: StoreClient): ClientMemory {
  const memory = new ClientMemory(who.id)
  const copy = (from: Map<unknown, unknown>, to: Map<any, any>) => from.forEach((value, key) => to.set(key, value))
  memory.user = state.user ?? {}
  for (const name of ['users', 'servers', 'channels', 'roles', 'invites', 'marks', 'relations'] as const)
    copy(state[name], memory[name])
  for (const name of ['conversations', 'overwrites'] as const) copy(state[name], memory[name])
  for (const [server_id, members] of state.members)
    for (const [user_id, { user_id: _, ...member }] of members)
      memory.members.set(`${server_id}:${user_id}`, { ...member, user: { id: user_id } })
  for (const [key, { entries }] of state.timelines)
    for (const entry of entries) (key.startsWith('c') ? memory.messages : memory.directs).set(entry.id, entry)
  return memory
}

import type { Channel, Server } from '../../features/access/model.ts'
import type { Role } from '../../features/roles/model.ts'
import type { NotificationSetting } from '../../features/notifications/model.ts'
import { settingKey } from './notifications.ts'
import { state, store } from './session.ts'
import type { KeptMember } from './state.ts'
import { change as changeTimeline, type Entry, entryOf, replace } from './timeline.ts'

/** Reads and writes a resource in the state. */
interface Place<T> {
  get(): T | undefined
  set(value: T): void
}

/** A resource with fields that requests have changed and the server has not confirmed. */
class Expected<T extends object> {
  /** The server's values of the changed fields. */
  #serverValues: Partial<T> = {}
  #changes: Partial<T>[] = []

  constructor(private readonly place: Place<T>) {}

  get isSettled(): boolean {
    return this.#changes.length === 0
  }

  begin(change: Partial<T>): void {
    this.#changes.push(change)
    this.show()
  }

  /** Applies the unconfirmed changes to the server's values, which an event may have replaced. */
  show(): void {
    const now = this.place.get()
    const changed: Partial<T> = Object.assign({}, ...this.#changes)
    if (!now) return
    const differing = keysOf(changed).filter((key) => now[key] !== changed[key])
    for (const key of differing) this.#serverValues[key] = now[key]
    if (differing.length > 0) this.place.set({ ...now, ...changed })
  }

  end(change: Partial<T>, isConfirmed: boolean): void {
    this.#changes = this.#changes.filter((each) => each !== change)
    if (isConfirmed) return void Object.assign(this.#serverValues, change)
    const now = this.place.get()
    const restorable = keysOf(change).filter((key) => key in this.#serverValues)
    if (now) this.place.set(Object.assign({ ...now }, ...restorable.map((key) => ({ [key]: this.#serverValues[key] }))))
    this.show()
  }
}

const keysOf = <T extends object>(fields: Partial<T>) => Object.keys(fields) as (keyof T)[]

const expectedByKey = new Map<string, Expected<never>>()

store.watch(() => {
  for (const one of expectedByKey.values()) one.show()
})

/** Shows a change while its request runs; a refusal undoes it. @throws errors of the request */
async function whileAsked<T extends object, R>(
  key: string,
  place: Place<T>,
  change: Partial<T>,
  work: () => Promise<R>,
): Promise<R> {
  const one = (expectedByKey.get(key) as Expected<T> | undefined) ?? new Expected(place)
  expectedByKey.set(key, one as Expected<never>)
  const end = (isConfirmed: boolean) => {
    one.end(change, isConfirmed)
    if (one.isSettled) expectedByKey.delete(key)
    store.notify()
  }
  one.begin(change)
  store.notify()
  try {
    const answer = await work()
    end(true)
    return answer
  } catch (error) {
    end(false)
    throw error
  }
}

type Work<R> = () => Promise<R>

/** Shows fields of a channel, thread, category or group as they will be, while the request runs. */
export const expectChannel = <R>(id: number, change: Partial<Channel>, work: Work<R>) =>
  whileAsked(`channel ${id}`, inMap(state.channels, id), change, work)

/** Shows fields of a server as they will be, while the request runs. */
export const expectServer = <R>(id: number, change: Partial<Server>, work: Work<R>) =>
  whileAsked(`server ${id}`, inMap(state.servers, id), change, work)

/** Shows fields of a role as they will be, while the request runs. */
export const expectRole = <R>(id: number, change: Partial<Role>, work: Work<R>) =>
  whileAsked(`role ${id}`, inMap(state.roles, id), change, work)

/** Shows fields of a membership as they will be, while the request runs. */
export const expectMember = <R>(server_id: number, userId: number, change: Partial<KeptMember>, work: Work<R>) =>
  whileAsked(`member ${server_id} ${userId}`, inMap(state.membersOf(server_id), userId), change, work)

/** Shows a changed notification setting of a place while its request runs. */
export function expectSetting<R>(
  { server_id, channel_id }: Pick<NotificationSetting, 'server_id' | 'channel_id'>,
  change: Partial<NotificationSetting>,
  work: Work<R>,
): Promise<R> {
  const key = settingKey({ server_id, channel_id })
  const nothing = { server_id, channel_id, level: null, muted_until: null, suppress_everyone: null, listed: null }
  const place = inMap(state.settings, key)
  return whileAsked(`setting ${key}`, { ...place, get: () => place.get() ?? nothing }, change, work)
}

/** Shows fields of a message as they will be, while the request runs. */
export function expectMessage<R>({ id, channel_id }: Entry, change: Partial<Entry>, work: Work<R>): Promise<R> {
  const key = `c${channel_id}`
  const place = {
    get: () => {
      const timeline = state.timelines.get(key)
      return timeline && entryOf(timeline, id)
    },
    set: (value: Entry) => {
      const timeline = state.timelines.get(key)
      if (timeline) changeTimeline(timeline, (row) => replace(row, id, () => value))
      store.touch(`timeline ${key}`)
    },
  }
  return whileAsked(`message ${id}`, place, change, work)
}

const inMap = <K, T>(map: Map<K, T>, key: K): Place<T> => ({
  get: () => map.get(key),
  set: (value) => {
    map.set(key, value)
    store.touch('shell', 'members')
  },
})

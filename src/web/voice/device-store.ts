import { keep, readKept } from '../device/kept.ts'
import { showNote } from '../ui/kit/dialogs.tsx'
import { consent } from '../ui/voice/open-call-consent.tsx'
import { callWords } from '../words/call.ts'
import { gateway, state } from '../state/session.ts'
import { onDevice } from '../state/stored.ts'
import { type DeviceStore, makeDeviceKey, publicKeyOf } from './sealing/device-key.ts'
import type { LogPoint } from './sealing/device-log.ts'
import { isSamePoint, type LogMemory } from './sealing/device-logs.ts'
import { withPoint } from './sealing/log-memory.ts'
import { prepareFrameWorker } from './sealing/open-worker.ts'

// The data of this device for encrypted calls, until the account logs out here: its key, the accounts that the person
// has verified, and the heads of the logs of accounts' devices. If the browser cannot store them, they last as long as
// the page.

/** The devices of an account with which the person has compared numbers. */
export interface Verification {
  /** When, ISO 8601. */
  at: string
  /** The keys of the account's devices then. */
  keys: string[]
}

/** As it is kept, with the account that it belongs to. */
interface Kept<Value> {
  account: number
  value: Value
}

type StoreKey = 'deviceKey' | 'verified' | 'deviceLogs'
const inMemory = new Map<StoreKey, unknown>()

async function read<Value>(key: StoreKey): Promise<Value | undefined> {
  const stored: unknown = await readKept(key).catch(() => undefined)
  // Written below, by this version or another one.
  const all = [stored, inMemory.get(key)] as (Partial<Kept<Value>> | undefined)[]
  return all.find((entry) => entry?.account === state.me())?.value
}

async function write<Value>(key: StoreKey, value: Value): Promise<void> {
  const entry: Kept<Value> = { account: state.me(), value }
  inMemory.set(key, entry)
  await keep(key, entry).catch(() => {})
}

/** Takes turns with the other tabs of the browser, where it can. */
const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> =>
  navigator.locks ? navigator.locks.request('parley.device', work) : work()

/** The key of this device for the account, made when first needed. */
async function own(): Promise<CryptoKeyPair | undefined> {
  const stored = await read<CryptoKeyPair>('deviceKey')
  return (
    stored ??
    inTurn(async () => {
      const pair = (await read<CryptoKeyPair>('deviceKey')) ?? (await makeDeviceKey())
      if (pair) await write('deviceKey', pair)
      return pair
    })
  )
}

const people = async () => (await read<Record<number, Verification>>('verified')) ?? {}

/** The devices of an account that the person has verified. */
export const verificationOf = async (userId: number): Promise<Verification | undefined> => (await people())[userId]

/** Keeps what the person has compared with an account, or forgets it. */
export const keepVerification = (userId: number, verification: Verification | undefined): Promise<void> =>
  inTurn(async () => {
    const { [userId]: _former, ...others } = await people()
    await write('verified', verification ? { ...others, [userId]: verification } : others)
  })

const points = async () => (await read<Map<number, LogPoint>>('deviceLogs')) ?? new Map<number, LogPoint>()

const logs: LogMemory = {
  read: points,
  replace: (changes) =>
    changes.length === 0
      ? Promise.resolve([])
      : inTurn(async () => {
          const [stored, verified] = [await points(), new Set(Object.keys(await people()).map(Number))]
          const others = changes.filter(({ user_id, former }) => !isSamePoint(stored.get(user_id), former))
          let next = stored
          for (const change of changes)
            if (!others.includes(change)) next = withPoint(next, change.user_id, change.next, verified)
          await write('deviceLogs', next)
          return others.map(({ user_id }) => user_id)
        }),
}

/** Remembers logs as they are, whatever was remembered of them: the person has compared numbers. */
export const acceptLogs = (accepted: readonly (LogPoint & { user_id: number })[]): Promise<void> =>
  inTurn(async () => {
    const verified = new Set(Object.keys(await people()).map(Number))
    let next = await points()
    for (const { user_id, length, head } of accepted) next = withPoint(next, user_id, { length, head }, verified)
    await write('deviceLogs', next)
  })

/** The registration of this device's key on the gateway's connection; undefined while the server may not know it. */
let registering: Promise<unknown> | undefined
gateway.listen(({ t }) => {
  // Perhaps of another session.
  if (t === 'ready') registering = undefined
})

/** Tells the server this device's key, unless it knows it. Rejects if that fails, or this browser has no key. */
async function register(): Promise<void> {
  const work = (registering ??= own().then(async (pair) => {
    if (!pair) throw new Error('This browser has no device key')
    await gateway.command('voice.device_key', { key: await publicKeyOf(pair) })
  }))
  try {
    await work
  } catch (error) {
    if (registering === work) registering = undefined
    throw error
  }
}

export const deviceStore: DeviceStore = {
  consent,
  own,
  register,
  verifiedKeys: async (userId) => (await verificationOf(userId))?.keys,
  logs,
}

/** Set once a call here could be encrypted. */
const SEALS = 'parley.seals'

/**
 * Loads what an encrypted call needs, if the server encrypted the last one or would have.
 * @param isJoining false if the call only rings, or a button that joins it has the pointer
 */
export function prepareSealing(isJoining: boolean): void {
  if (onDevice.getItem(SEALS) === null) return
  if (isJoining) prepareFrameWorker()
  register().catch(() => {})
  import('./sealing/call-group.ts').catch(() => {})
  import('./sealing/mls.ts').then(({ suite }) => suite()).catch(() => {})
}

/** How long it is shown that calls are no longer encrypted, ms. */
const CHANGE_MS = 8_000

/** Remembers whether the server encrypts calls, and says when it has stopped to. */
export function noteSealing(isOn: boolean): void {
  if (isOn) return onDevice.setItem(SEALS, 'yes')
  if (onDevice.getItem(SEALS) !== null) showNote(callWords.encryption.opened, CHANGE_MS)
  onDevice.removeItem(SEALS)
}

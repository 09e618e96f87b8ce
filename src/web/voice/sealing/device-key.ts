import type { DeviceProof, Leaf, Member } from './members.ts'
import { hex } from './bytes.ts'
import type { LogMemory } from './device-logs.ts'

/** Asks the person before a call goes on, or is joined, without encryption. */
export interface OpenCallConsent {
  /** True if the person has to agree before anything passes unencrypted in a call of this channel. */
  isNeeded(channelId: number): boolean
  /** Asks whether to join although this device cannot encrypt. @returns true if the person accepts that */
  toJoin(channelId: number): Promise<boolean>
}

/** The data of this device for encrypted calls. */
export interface DeviceStore {
  /** Without it, the person is not asked. */
  consent?: OpenCallConsent
  /** The device's own key, made when first needed; undefined if this browser cannot make one. */
  own(): Promise<CryptoKeyPair | undefined>
  /** Registers the device's key at the server, unless it is registered. */
  register(): Promise<void>
  /** The keys of an account's devices when the person compared numbers with it; undefined if it never did. */
  verifiedKeys(userId: number): Promise<readonly string[] | undefined>
  /** The heads of the logs of accounts' devices that this device remembers. */
  logs: LogMemory
}

const ALGORITHM = 'Ed25519'

/** Makes a key that no script can read. @returns undefined if this browser has no Ed25519 */
export const makeDeviceKey = (): Promise<CryptoKeyPair | undefined> =>
  Promise.resolve()
    .then(() => crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']))
    .then((pair) => pair as CryptoKeyPair)
    .catch(() => undefined)

/** True if this browser has X25519, by which members share the keys of a group: some had only Ed25519. */
export const hasKeyAgreement = (): Promise<boolean> =>
  Promise.resolve()
    .then(() => crypto.subtle.generateKey('X25519', false, ['deriveBits']))
    .then(
      () => true,
      () => false,
    )

const publicBytes = async ({ publicKey }: CryptoKeyPair): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))

/** The public key of a device, in hexadecimal. */
export const publicKeyOf = async (pair: CryptoKeyPair): Promise<string> => hex(await publicBytes(pair))

/** The text that a device signs. It names the voice session, so that no call can use the signature of another one. */
const statementOf = ({ user_id, voice_session_id }: Member, signatureKey: Uint8Array): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`parley call leaf\n${user_id} ${voice_session_id}\n${hex(signatureKey)}`)

/** Confirms a member's leaf. */
export async function confirmLeaf(pair: CryptoKeyPair, self: Member, signatureKey: Uint8Array): Promise<DeviceProof> {
  const signature = await crypto.subtle.sign(ALGORITHM, pair.privateKey, statementOf(self, signatureKey))
  return { key: await publicBytes(pair), signature: new Uint8Array(signature) }
}

/** True if the leaf has the signature of the device whose key it names. */
export async function isConfirmed(leaf: Pick<Leaf, 'proof' | 'signatureKey'> & Member): Promise<boolean> {
  const { key, signature } = leaf.proof
  try {
    const device = await crypto.subtle.importKey('raw', new Uint8Array(key), ALGORITHM, false, ['verify'])
    const statement = statementOf(leaf, leaf.signatureKey)
    return await crypto.subtle.verify(ALGORITHM, device, new Uint8Array(signature), statement)
  } catch {
    // Not the key of a curve.
    return false
  }
}

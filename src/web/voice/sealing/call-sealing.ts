import type { Encryption, Joined } from '../../../voice/model.ts'
import type { EventFrame } from '../../client/gateway.ts'
import type { RemotePeer } from '../remote-peer.ts'
import type { VoiceGateway } from '../voice-gateway.ts'
import type { CallGroup } from './call-group.ts'
import { isSealable } from './clear-part.ts'
import { DeviceDirectory } from './device-directory.ts'
import { confirmLeaf, type DeviceStore, hasKeyAgreement } from './device-key.ts'
import { readLogs } from './device-logs.ts'
import { hasEncodedFrames, type Passage, passBy } from './encoded-frames.ts'
import type { Epoch } from './epoch-keys.ts'
import type { WorkerMessage } from './frame-worker.ts'
import type { Doubted } from './leaf-checks.ts'
import type { DeviceProof, Member } from './members.ts'
import { digitsOf } from './numbers.ts'

// A call's encryption, as the page sees it. Where the server encrypts calls, every sender and receiver gets a transform
// in the task in which it appears, and every RTCPeerConnection asks for encoded streams: Chromium ignores a transform
// that comes later, and would send plain media. An open call passes frames through the same transforms.

/** Delay before this member seals with the keys of a new epoch, so that the others have them, ms. */
const SPREAD_MS = 200

const OFF: Encryption = { state: 'off', group: null }

/** Opens the call's worker. */
export type OpenWorker = () => Worker

interface Sealers {
  openWorker?: OpenWorker
  devices?: DeviceStore
}

/** True if this browser has what it takes to encrypt a call, apart from a device key. */
const hasTransforms = ({ openWorker, devices }: Sealers): boolean =>
  openWorker !== undefined && devices !== undefined && hasEncodedFrames()

/** True if this browser can encrypt a call. */
export const canEncrypt = async (sealers: Sealers): Promise<boolean> =>
  hasTransforms(sealers) && (await hasKeyAgreement()) && (await sealers.devices?.own()) !== undefined

export class CallSealing {
  state: Encryption['state'] = 'off'
  /** Why the call is open. */
  reason: Encryption['reason']
  /** True if nothing passes until the person agrees that the call goes on without encryption. */
  isWaiting = false
  /** The person has agreed, until the call is encrypted again or another one. */
  #isAgreed = false
  /** Faults of members of the encrypted call. */
  doubts: readonly Doubted[] = []
  /** Equal for all who share the keys of the call at this moment. */
  authenticator: Uint8Array | undefined
  readonly #directory: DeviceDirectory
  #worker: Worker | undefined
  #group: CallGroup | undefined
  #seat: Pick<Joined, 'voice_session_id' | 'user_id' | 'channel_id'> = {
    voice_session_id: '',
    user_id: 0,
    channel_id: 0,
  }
  #groupId: string | null = null
  readonly #protected = new WeakSet<object>()
  /** True if a connection of the call was made without the worker: its frames never pass it. */
  #hasBare = false
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #stopListening: () => void
  #hasEnded = false

  /**
   * @param peers the other members, by voice session
   * @param onBare called if the call may be encrypted from now on, but has connections without the worker: they have to
   * be made anew, for another voice session
   */
  constructor(
    private readonly options: Sealers & { gateway: VoiceGateway },
    private readonly peers: ReadonlyMap<string, RemotePeer>,
    private readonly onChange: () => void,
    private readonly onFault: (error: unknown) => void,
    private readonly onBare: () => void,
  ) {
    const { gateway, devices } = options
    this.#stopListening = gateway.onEvent((frame) => this.#apply(frame))
    this.#directory = new DeviceDirectory(async (userIds) =>
      devices
        ? readLogs((accounts) => gateway.command('voice.device_logs', { accounts }), devices.logs, userIds)
        : new Map(),
    )
  }

  /** Digits that are equal for all who share the keys of the call at this moment; undefined while there are none. */
  async code(): Promise<string[] | undefined> {
    return this.authenticator && digitsOf(this.authenticator, 'parley call code')
  }

  /** Call when the person has compared numbers with an account. @param keys its devices; undefined: takes it back */
  verified(userId: number, keys: readonly string[] | undefined): void {
    for (const id of [userId, this.#seat.user_id]) this.#directory.forget(id)
    this.#group?.checks.verified(userId, keys)
  }

  /** Call with the answer to joining or resuming, before connections are made. */
  configure({ voice_session_id, user_id, channel_id, encryption = OFF }: Joined): void {
    const isSame = voice_session_id === this.#seat.voice_session_id && encryption.group === this.#groupId
    if (channel_id !== this.#seat.channel_id) this.#isAgreed = false
    this.#seat = { voice_session_id, user_id, channel_id }
    if (!isSame || encryption.state !== this.state) this.#change(encryption)
    else void this.#group?.membersChanged()
  }

  /** Call when all connections of the call have been closed. */
  connectionsClosed(): void {
    this.#hasBare = false
  }

  /** Settings of every RTCPeerConnection of the call. */
  get settings(): RTCConfiguration & { encodedInsertableStreams?: true } {
    this.#hasBare ||= !this.#worker
    return this.#worker ? { encodedInsertableStreams: true } : {}
  }

  /** Makes all frames of a sender or receiver pass the worker. Call in the task in which it appears. */
  protect(end: RTCRtpSender | RTCRtpReceiver, kind: string, passage: Passage): void {
    if (!this.#worker || this.#protected.has(end)) return
    this.#protected.add(end)
    passBy(this.#worker, end, { ...passage, isAudio: kind === 'audio' })
  }

  /**
   * Removes video codecs whose frames cannot be sealed from a description that is about to be made. An open call does
   * the same, because it may be encrypted later without another description.
   */
  limitCodecs(connection: RTCPeerConnection): void {
    if (!this.#worker) return
    const codecs = RTCRtpReceiver.getCapabilities?.('video')?.codecs ?? []
    const sealable = codecs.filter(({ mimeType }) => isSealable(mimeType))
    if (sealable.length === codecs.length) return
    for (const transceiver of connection.getTransceivers())
      if (transceiver.receiver.track.kind === 'video') transceiver.setCodecPreferences?.(sealable)
  }

  /** Goes on without encryption, as the person has agreed to. */
  goOnOpen(): void {
    if (!this.isWaiting) return
    this.isWaiting = false
    this.#isAgreed = true
    this.#tell({ kind: 'open' })
    this.onChange()
  }

  /** Ends with the call. */
  end(): void {
    this.#hasEnded = true
    this.#stopListening()
    this.#leaveGroup()
    this.#worker?.terminate()
    this.#worker = undefined
  }

  #apply({ t, d }: EventFrame): void {
    if (t === 'voice.encryption') {
      // An event of the channel that the call has left must not open the new call.
      if (d.channel_id === this.#seat.channel_id) this.#change(d)
    } else if (t === 'voice.mls') void this.#group?.receive(d)
    else if (t === 'voice.peer_joined' || t === 'voice.peer_left') {
      if (t === 'voice.peer_joined' && this.#groupId !== null) this.#readKeys([d.user.id])
      void this.#group?.membersChanged()
    }
  }

  /** Reads the devices of accounts while their key packages are on their way. */
  #readKeys(userIds: number[]): void {
    for (const id of userIds) this.#directory.devicesOf(id).catch(() => {})
  }

  /** Warns if the log of this account's own devices does not continue the one that this device remembers. */
  async #checkOwn(self: Member): Promise<void> {
    const { isForked } = await this.#directory.devicesOf(self.user_id)
    if (isForked && self.voice_session_id === this.#seat.voice_session_id)
      this.#group?.checks.doubt(self, 'own_history')
  }

  /** Confirms this member's leaf, once the server can tell the others this device's key. */
  async #confirm(self: Member, signatureKey: Uint8Array): Promise<DeviceProof> {
    const { devices } = this.options
    const pair = await devices?.own()
    if (!devices || !pair) throw new Error('This browser has no device key')
    await devices.register()
    return confirmLeaf(pair, self, signatureKey)
  }

  #change({ state, group, reason }: Encryption): void {
    const isAble = hasTransforms(this.options)
    // Otherwise, a server could have plain media sent first, and the call shown as encrypted afterwards.
    if (isAble && state !== 'off' && this.#hasBare) return this.onBare()
    // Nor is shown as encrypted what this browser does not encrypt.
    this.state = state === 'sealed' && !isAble ? 'open' : state
    this.reason = reason
    this.#groupId = group
    this.#leaveGroup()
    if (state === 'sealed') this.#isAgreed = false
    const { consent } = this.options.devices ?? {}
    const isAsked = isAble && consent?.isNeeded(this.#seat.channel_id) === true
    this.isWaiting = state === 'open' && !this.#isAgreed && isAsked
    this.onChange()
    if (state === 'off' || !isAble) return
    this.#worker ??= this.options.openWorker?.()
    // Sealed without keys, nothing passes.
    this.#tell({ kind: group === null && !this.isWaiting ? 'open' : 'sealed' })
    if (group !== null) void this.#enterGroup(group).catch(this.onFault)
  }

  async #enterGroup(id: string): Promise<void> {
    const seat = this.#seat
    const loading = import('./call-group.ts')
    // Meanwhile: the peers are known after this task.
    await Promise.resolve()
    this.#readKeys([seat.user_id, ...[...this.peers.values()].map(({ info }) => info.user.id)])
    // Repeated with each key package if it fails.
    this.options.devices?.register().catch(this.onFault)
    const { CallGroup } = await loading
    const { voice_session_id, user_id } = seat
    const isCurrent = this.#groupId === id && this.#seat.voice_session_id === voice_session_id
    if (!isCurrent || this.#hasEnded || this.#group) return
    this.#group = new CallGroup({
      group: id,
      self: { voice_session_id, user_id },
      members: () =>
        new Map([...this.peers].map(([peer, { info }]) => [peer, info.user.id])).set(voice_session_id, user_id),
      confirm: (signatureKey) => this.#confirm({ voice_session_id, user_id }, signatureKey),
      devicesOf: (userId, isFresh) => this.#directory.devicesOf(userId, isFresh),
      verifiedKeys: async (userId) => this.options.devices?.verifiedKeys(userId),
      onDoubts: (doubts) => {
        this.doubts = doubts
        this.onChange()
      },
      send: (message) => this.options.gateway.command('voice.mls', message),
      onEpoch: (epoch, isUrgent, authenticator) => {
        this.authenticator = authenticator
        this.#spread(epoch, isUrgent)
        this.onChange()
      },
      onFault: this.onFault,
      wake: (ms) => this.#wake(ms),
      now: () => performance.now(),
    })
    this.#checkOwn({ voice_session_id, user_id }).catch(this.onFault)
    await this.#group.start()
  }

  #spread(epoch: Epoch, isUrgent: boolean): void {
    this.#tell({ kind: 'epoch', epoch, delayMs: isUrgent ? 0 : SPREAD_MS })
  }

  #wake(ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.#group?.tick()
    }, ms)
    this.#timers.add(timer)
  }

  #leaveGroup(): void {
    this.#group?.stop()
    this.#group = undefined
    this.authenticator = undefined
    this.doubts = []
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #tell(message: WorkerMessage): void {
    this.#worker?.postMessage(message)
  }
}

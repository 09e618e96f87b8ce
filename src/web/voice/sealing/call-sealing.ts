import type { Encryption, Joined } from '../../../voice/model.ts'
import type { EventFrame } from '../../client/gateway.ts'
import type { RemotePeer } from '../remote-peer.ts'
import type { VoiceGateway } from '../voice-gateway.ts'
import type { CallGroup } from './call-group.ts'
import type { Epoch } from './epoch-keys.ts'
import type { Passage, WorkerMessage } from './frame-worker.ts'

// A call's encryption, as the page sees it. Where the server encrypts calls, every sender and receiver gets a transform
// in the task in which it appears, and every RTCPeerConnection asks for encoded streams: Chromium ignores a transform
// that comes later, and would send plain media. An open call passes frames through the same transforms.

/** Delay before this member seals with the keys of a new epoch, so that the others have them, ms. */
const SPREAD_MS = 200

type ScriptTransform = new (worker: Worker, options: Passage & { isAudio: boolean }) => unknown

/** The browser's RTCRtpScriptTransform, which TypeScript does not have yet; undefined in older browsers. */
const scriptTransform = (): ScriptTransform | undefined =>
  (globalThis as { RTCRtpScriptTransform?: ScriptTransform }).RTCRtpScriptTransform

const OFF: Encryption = { state: 'off', group: null }

/** Opens the call's worker. */
export type OpenWorker = () => Worker

/** True if this browser can encrypt a call. */
export const canEncrypt = (openWorker: OpenWorker | undefined): boolean =>
  openWorker !== undefined && scriptTransform() !== undefined

export class CallSealing {
  state: Encryption['state'] = 'off'
  #worker: Worker | undefined
  #group: CallGroup | undefined
  #seat: Pick<Joined, 'voice_session_id' | 'user_id' | 'channel_id'> = {
    voice_session_id: '',
    user_id: 0,
    channel_id: 0,
  }
  #groupId: string | null = null
  readonly #protected = new WeakSet<object>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #stopListening: () => void
  #hasEnded = false

  /** @param peers the other members, by voice session */
  constructor(
    private readonly gateway: VoiceGateway,
    private readonly peers: ReadonlyMap<string, RemotePeer>,
    private readonly openWorker: OpenWorker | undefined,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.#stopListening = gateway.onEvent((frame) => this.#apply(frame))
  }

  /** Call with the answer to joining or resuming, before connections are made. */
  configure({ voice_session_id, user_id, channel_id, encryption = OFF }: Joined): void {
    const isSame = voice_session_id === this.#seat.voice_session_id && encryption.group === this.#groupId
    this.#seat = { voice_session_id, user_id, channel_id }
    if (!isSame || encryption.state !== this.state) this.#change(encryption)
    else void this.#group?.membersChanged()
  }

  /** Settings of every RTCPeerConnection of the call. */
  get settings(): RTCConfiguration & { encodedInsertableStreams?: true } {
    return this.#worker ? { encodedInsertableStreams: true } : {}
  }

  /** Makes all frames of a sender or receiver pass the worker. Call in the task in which it appears. */
  protect(end: RTCRtpSender | RTCRtpReceiver, kind: string, passage: Passage): void {
    const Transform = scriptTransform()
    if (!this.#worker || !Transform || this.#protected.has(end)) return
    this.#protected.add(end)
    Object.assign(end, { transform: new Transform(this.#worker, { ...passage, isAudio: kind === 'audio' }) })
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
    else if (t === 'voice.peer_joined' || t === 'voice.peer_left') void this.#group?.membersChanged()
  }

  #change({ state, group }: Encryption): void {
    this.state = state
    this.#groupId = group
    this.#leaveGroup()
    if (state === 'off' || !canEncrypt(this.openWorker)) return
    this.#worker ??= this.openWorker?.()
    this.#tell({ kind: group === null ? 'open' : 'sealed' })
    if (group !== null) void this.#enterGroup(group).catch(this.onFault)
  }

  async #enterGroup(id: string): Promise<void> {
    const seat = this.#seat
    const { CallGroup } = await import('./call-group.ts')
    const { voice_session_id, user_id } = seat
    const isCurrent = this.#groupId === id && this.#seat.voice_session_id === voice_session_id
    if (!isCurrent || this.#hasEnded || this.#group) return
    this.#group = new CallGroup({
      group: id,
      self: { voice_session_id, user_id },
      members: () =>
        new Map([...this.peers].map(([peer, { info }]) => [peer, info.user.id])).set(voice_session_id, user_id),
      send: (message) => this.gateway.command('voice.mls', message),
      onEpoch: (epoch, isUrgent) => this.#spread(epoch, isUrgent),
      onFault: this.onFault,
      wake: (ms) => this.#wake(ms),
      now: () => performance.now(),
    })
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
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #tell(message: WorkerMessage): void {
    this.#worker?.postMessage(message)
  }
}

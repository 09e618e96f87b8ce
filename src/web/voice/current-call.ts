import { signal } from '@preact/signals'
import { chosenDevice, type DeviceKind, rememberDevice } from './devices.ts'
import { account, gateway, state } from '../state/session.ts'
import type { Remote, VoiceCall, VoiceGateway } from './call.ts'
import { words } from '../words/words.ts'

const VOLUME = 'parley.volume.'
/** Why the route is what it is, as the server said last. */
type Reason = keyof typeof words.voice.reasons

/** The call that one is in. */
export const call = signal<VoiceCall | undefined>(undefined)
/** On the way into one. */
export const joining = signal(false)
/** What went wrong with it, said to the person. */
export const trouble = signal('')
export const reason = signal<Reason | undefined>(undefined)
/** Which shared screen is looked at: the voice session that shows it. */
export const watched = signal<string | undefined>(undefined)
const version = signal(0)
/** Renders the calling component again when something of the call has changed. */
export const followCall = (): VoiceCall | undefined => {
  void version.value
  return call.value
}
/** Shows the call anew: its own switches tell nobody. */
export const changed = (): void => void version.value++

/** The gateway as a call takes it. */
const line: VoiceGateway = {
  command: (op, d) => (gateway.command as (op: string, d: object) => Promise<unknown>)(op, d).catch(withoutCode),
  onEvent: (listener) => gateway.listen(({ t, d }) => listener(t, d)),
  onAgain: (listener) => gateway.listen(({ t }) => t === 'ready' && listener()),
}

/** A command that could not be sent was not refused: a call waits for the gateway then. */
function withoutCode(error: { status: number; message: string }): never {
  if (error.status === 0) throw new Error(error.message)
  throw error
}

const players = new Map<string, HTMLAudioElement>()
const playerKey = (peer_id: string, source: string) => `${peer_id} ${source}`

/** How loud somebody is here, 0 to 1; kept in this browser. */
export const volumeOf = (user_id: number): number => Number(localStorage.getItem(VOLUME + user_id) ?? 1)

export function setVolume(user_id: number, volume: number): void {
  localStorage.setItem(VOLUME + user_id, String(volume))
  for (const [id, peer] of call.value?.peers ?? [])
    if (peer.info.user.id === user_id)
      for (const source of ['microphone', 'screen_audio']) {
        const player = players.get(playerKey(id, source))
        if (player) player.volume = volume
      }
  changed()
}

function play(peer_id: string, source: string, stream: MediaStream): void {
  if (source !== 'microphone' && source !== 'screen_audio') return changed()
  const player = players.get(playerKey(peer_id, source)) ?? new Audio()
  players.set(playerKey(peer_id, source), player)
  player.srcObject = stream
  player.volume = volumeOf(call.value?.peers.get(peer_id)?.info.user.id ?? 0)
  void playBy(player, chosenDevice('audiooutput'))
  // Refused until somebody has touched the page; whoever joins has.
  void player.play().catch(() => {})
}

function silence(key: string): void {
  const player = players.get(key)
  if (player) player.srcObject = null
  players.delete(key)
}

/** The own microphone, or none: then one listens only. */
async function microphone(): Promise<MediaStreamTrack | undefined> {
  // Wished for, not demanded: one that has been pulled out must not keep anybody from talking.
  const deviceId = { ideal: chosenDevice('audioinput') }
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, deviceId }
  const stream = await navigator.mediaDevices?.getUserMedia({ audio }).catch(() => undefined)
  if (!stream) trouble.value = words.voice.noMicrophone
  return stream?.getAudioTracks()[0]
}

/** Not every browser lets a page choose. */
const playBy = (player: HTMLAudioElement, device: string): Promise<void> | undefined =>
  player.setSinkId?.(device).catch(() => {})

/** Uses another microphone or loudspeaker, from now on and in the call that is on. */
export async function takeDevice(kind: DeviceKind, id: string): Promise<void> {
  rememberDevice(kind, id)
  if (kind === 'audiooutput') for (const player of players.values()) await playBy(player, id)
  if (kind !== 'audioinput' || !call.value) return
  const track = await microphone()
  await call.value.setTrack('microphone', track)
  track?.stop()
}

let speaking = ''

/** Joins a voice channel; what a call is made of is loaded only now. */
export async function join(channel_id: number): Promise<void> {
  if (joining.value) return
  joining.value = true
  await hangUp()
  trouble.value = ''
  reason.value = undefined
  const track = await microphone()
  try {
    const { VoiceCall } = await import('./call.ts')
    call.value = await VoiceCall.join(
      { gateway: line, channel_id, ...(track ? { microphone: track } : {}) },
      {
        changed,
        stream: play,
        streamEnded: (peer_id, source) => {
          silence(playerKey(peer_id, source))
          changed()
        },
        levels: () => {
          const now = [...(call.value?.peers.values() ?? [])].map((peer) => peer.speaking).join()
          if (now !== speaking) changed()
          speaking = now
        },
        ended: (why) => {
          trouble.value = words.voice.ended[why as keyof typeof words.voice.ended] ?? words.voice.endedOtherwise
          over()
        },
      },
    )
  } catch (error) {
    trouble.value = (error as Error).message
  }
  joining.value = false
  track?.stop()
}

function over(): void {
  call.value = undefined
  watched.value = undefined
  for (const key of players.keys()) silence(key)
  changed()
}

export async function hangUp(): Promise<void> {
  const leaving = call.value
  over()
  await leaving?.leave()
}

/** Starts or ends sharing the screen, with its sound where the browser gives it. */
export async function toggleScreen(): Promise<void> {
  const now = call.value
  await (now?.sharing_screen ? now.stopSharing() : now?.shareScreen())?.catch((error: Error) => {
    // Who changes one's mind has not met a fault.
    if (error.name !== 'NotAllowedError') trouble.value = error.message
  })
  changed()
}

/** Who is in a voice channel. */
export const voicesIn = (channel_id: number) =>
  [...state.voices.values()]
    .filter((voice) => voice.channel_id === channel_id)
    .toSorted((a, b) => a.joined_at.localeCompare(b.joined_at))

/** Somebody in the own call. */
export const remoteOf = (user_id: number): Remote | undefined =>
  [...(call.value?.peers.values() ?? [])].find((peer) => peer.info.user.id === user_id)

gateway.listen(({ t, d }) => {
  if (t === 'voice.route') reason.value = d.reason
})
window.addEventListener('pagehide', () => {
  if (account.value === 'logged_in') void call.value?.leave()
})

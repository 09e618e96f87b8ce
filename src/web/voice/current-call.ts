import { signal } from '@preact/signals'
import { chosenDevice, type DeviceKind, rememberDevice } from './devices.ts'
import { account, gateway, state } from '../state/session.ts'
import type { RemotePeer, VoiceCall } from './call.ts'
import type { TalkGate } from './talk-gate.ts'
import { voiceGateway } from './voice-gateway.ts'
import { nameOf } from '../state/names.ts'
import type { callWords } from '../words/call.ts'
import { words } from '../words/words.ts'

const VOLUME = 'parley.volume.'
const endings: Record<string, string | undefined> = words.voice.ended

/** The call of this page, if there is one. */
const currentCall = signal<VoiceCall | undefined>(undefined)
/** Whether a call is being joined. */
export const joining = signal(false)
/** The last error of the call, in words for the person. */
export const callError = signal('')
/** Why the server has chosen the route. */
export const routeReason = signal<keyof typeof callWords.reasons | undefined>(undefined)
/** The voice session whose shared screen is shown. */
export const watchedScreen = signal<string | undefined>(undefined)
const version = signal(0)
/** Renders the calling component again when the call changes. */
export const followCall = (): VoiceCall | undefined => {
  void version.value
  return currentCall.value
}
/** Renders the call again: muting and volume changes emit no event. */
export const touchCall = (): void => void version.value++

const players = new Map<string, HTMLAudioElement>()
const playerKey = (peer_id: string, source: string) => `${peer_id} ${source}`

/** The volume at which an account is played, 0 to 1; kept in this browser. */
export const volumeOf = (user_id: number): number => Number(localStorage.getItem(VOLUME + user_id) ?? 1)

export function setVolume(user_id: number, volume: number): void {
  localStorage.setItem(VOLUME + user_id, String(volume))
  for (const [id, peer] of currentCall.value?.peers ?? [])
    if (peer.info.user.id === user_id)
      for (const source of ['microphone', 'screen_audio']) {
        const player = players.get(playerKey(id, source))
        if (player) player.volume = volume
      }
  touchCall()
}

function play(peer_id: string, source: string, stream: MediaStream): void {
  if (source !== 'microphone' && source !== 'screen_audio') return touchCall()
  const player = players.get(playerKey(peer_id, source)) ?? new Audio()
  players.set(playerKey(peer_id, source), player)
  player.srcObject = stream
  player.volume = volumeOf(currentCall.value?.peers.get(peer_id)?.info.user.id ?? 0)
  void playOn(player, chosenDevice('audiooutput'))
  // Browsers refuse this before the first click on the page; joining is one.
  void player.play().catch(() => {})
}

function silence(key: string): void {
  const player = players.get(key)
  if (player) player.srcObject = null
  players.delete(key)
}

/** The microphone; undefined if there is none, and the member only listens. */
async function microphone(): Promise<MediaStreamTrack | undefined> {
  // `ideal`, not `exact`: if the chosen device was unplugged, take another one.
  const deviceId = { ideal: chosenDevice('audioinput') }
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, deviceId }
  const stream = await navigator.mediaDevices?.getUserMedia({ audio }).catch(() => undefined)
  if (!stream) callError.value = words.voice.noMicrophone
  return stream?.getAudioTracks()[0]
}

/** Some browsers have no `setSinkId`. */
const playOn = (player: HTMLAudioElement, device: string): Promise<void> | undefined =>
  player.setSinkId?.(device).catch(() => {})

/** Uses another microphone or loudspeaker, now and in later calls. */
export async function chooseDevice(kind: DeviceKind, id: string): Promise<void> {
  rememberDevice(kind, id)
  if (kind === 'audiooutput') for (const player of players.values()) await playOn(player, id)
  if (kind !== 'audioinput' || !currentCall.value) return
  const track = await microphone()
  await currentCall.value.setTrack('microphone', track)
  track?.stop()
}

let speaking = ''
let gate: TalkGate | undefined

/** Joins a voice channel. Loads the code of calls when first used. */
export async function join(channel_id: number): Promise<void> {
  if (joining.value) return
  joining.value = true
  await hangUp()
  callError.value = ''
  routeReason.value = undefined
  const track = await microphone()
  try {
    const { TalkGate, VoiceCall, joinsMuted } = await import('./talk-gate.ts')
    currentCall.value = await VoiceCall.join(
      {
        gateway: voiceGateway(gateway),
        channel_id,
        self_mute: joinsMuted() || !track,
        ...(track ? { microphone: track } : {}),
      },
      {
        changed: touchCall,
        stream: play,
        streamEnded: (peer_id, source) => {
          silence(playerKey(peer_id, source))
          touchCall()
        },
        levels: () => {
          const now = [...(currentCall.value?.peers.values() ?? [])].map((peer) => peer.speaking).join()
          if (now !== speaking) touchCall()
          speaking = now
        },
        ended: (reason) => {
          callError.value = endings[reason] ?? words.voice.endedOtherwise
          clearCall()
        },
      },
    )
    gate = new TalkGate(currentCall.value)
  } catch (error) {
    callError.value = error instanceof Error ? error.message : String(error)
  }
  joining.value = false
  track?.stop()
}

function clearCall(): void {
  gate?.stop()
  gate = undefined
  currentCall.value = undefined
  watchedScreen.value = undefined
  for (const key of players.keys()) silence(key)
  touchCall()
}

export async function hangUp(): Promise<void> {
  const leaving = currentCall.value
  clearCall()
  await leaving?.leave()
}

/** Somebody declines the current call; with nobody else to wait for, the call ends. */
async function heardOfDecline(channel_id: number, user_id: number): Promise<void> {
  const now = currentCall.value
  if (now?.channel_id !== channel_id || user_id === state.me()) return
  if (state.channels.get(channel_id)?.type === 'dm' && now.peers.size === 0) await hangUp()
  callError.value = words.voice.declined(nameOf(user_id))
}

/** Starts or stops sharing the screen, with its sound if the browser offers it. */
export async function toggleScreen(): Promise<void> {
  const now = currentCall.value
  await (now?.sharing_screen ? now.stopSharing() : now?.shareScreen())?.catch((error: Error) => {
    // NotAllowedError: the person has cancelled the browser's dialog.
    if (error.name !== 'NotAllowedError') callError.value = error.message
  })
  touchCall()
}

/** The members in a voice channel, by the time that they joined. */
export const voicesIn = (channel_id: number) =>
  [...state.voices.values()]
    .filter((voice) => voice.channel_id === channel_id)
    .toSorted((a, b) => a.joined_at.localeCompare(b.joined_at))

/** A member of the current call, by account. */
export const remoteOf = (user_id: number): RemotePeer | undefined =>
  [...(currentCall.value?.peers.values() ?? [])].find((peer) => peer.info.user.id === user_id)

gateway.listen(({ t, d }) => {
  if (t === 'voice.route') routeReason.value = d.reason
  if (t === 'call.declined') void heardOfDecline(d.channel_id, d.user_id)
})
window.addEventListener('pagehide', () => {
  if (account.value === 'logged_in') void currentCall.value?.leave()
})

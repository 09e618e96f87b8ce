import { signal } from '@preact/signals'
import { chosenDevice, type DeviceKind, rememberDevice } from './devices.ts'
import { account, gateway, state } from '../state/session.ts'
import type { VoiceCall } from './call.ts'
import type { TalkGate } from './talk-gate.ts'
import { callError, canCall, currentCall, joining, touchCall } from './shown-call.ts'
import { voiceGateway } from './voice-gateway.ts'
import { ApiError } from '../client/rest.ts'
import { nameOf } from '../state/names.ts'
import { reasonOf } from '../state/reason.ts'
import { words } from '../words/words.ts'
import { onDevice } from '../state/stored.ts'

const VOLUME = 'parley.volume.'
const MUTED = 'parley.muted.'

/** The voice session whose shared screen is watched. */
export const watchedScreen = signal<string | undefined>(undefined)

const players = new Map<string, HTMLAudioElement>()
const playerKey = (peer_id: string, source: string) => `${peer_id} ${source}`

/** The volume at which an account is played, 0 to VOLUME_MAX; kept in this browser. */
export const volumeOf = (user_id: number): number => Number(onDevice.getItem(VOLUME + user_id) ?? 1)
/** True if the account is muted only in this browser. */
export const isMutedHere = (user_id: number): boolean => onDevice.getItem(MUTED + user_id) !== null

export function muteHere(user_id: number, on: boolean): void {
  if (on) onDevice.setItem(MUTED + user_id, 'yes')
  else onDevice.removeItem(MUTED + user_id)
  applyVolume(user_id)
}

export function setVolume(user_id: number, volume: number): void {
  onDevice.setItem(VOLUME + user_id, String(volume))
  applyVolume(user_id)
}

function loudly(player: HTMLAudioElement, user_id: number): void {
  const volume = isMutedHere(user_id) ? 0 : volumeOf(user_id)
  void import('./loudness.ts').then(({ setLoudness }) => setLoudness(player, volume, chosenDevice('audiooutput')))
}

function applyVolume(user_id: number): void {
  for (const [id, peer] of currentCall.value?.peers ?? [])
    if (peer.info.user.id === user_id)
      for (const source of ['microphone', 'screen_audio']) {
        const player = players.get(playerKey(id, source))
        if (player) loudly(player, user_id)
      }
  touchCall()
}

function play(peer_id: string, source: string, stream: MediaStream): void {
  if (source !== 'microphone' && source !== 'screen_audio') return touchCall()
  const player = players.get(playerKey(peer_id, source)) ?? new Audio()
  players.set(playerKey(peer_id, source), player)
  player.srcObject = stream
  loudly(player, currentCall.value?.peers.get(peer_id)?.info.user.id ?? 0)
  void playOn(player, chosenDevice('audiooutput'))
  // Browsers refuse this before the first click on the page; joining is one.
  void player.play().catch(() => {})
}

function silence(key: string): void {
  const player = players.get(key)
  if (player) {
    player.srcObject = null
    loudly(player, 0)
  }
  players.delete(key)
}

/** The microphone; undefined if there is none, and the member only listens. */
async function microphone(): Promise<MediaStreamTrack | undefined> {
  const { openMicrophone } = await import('./microphone.ts')
  return openMicrophone()
}

/** Some browsers have no `setSinkId`. */
const playOn = (player: HTMLAudioElement, device: string): Promise<void> | undefined =>
  player.setSinkId?.(device).catch(() => {})

/** Uses another microphone or loudspeaker, now and in later calls. */
export async function chooseDevice(kind: DeviceKind, id: string): Promise<void> {
  rememberDevice(kind, id)
  if (kind === 'audiooutput') {
    for (const player of players.values()) await playOn(player, id)
    for (const { info } of currentCall.value?.peers.values() ?? []) applyVolume(info.user.id)
  }
  const call = currentCall.value
  if (kind !== 'audioinput' || !call) return
  const track = await microphone()
  if (call.state !== 'ended') await call.setMicrophone(track)
  track?.stop()
}

let speaking = ''
let gate: TalkGate | undefined

function problemIn(error: unknown): string {
  if (error instanceof ApiError) return reasonOf(error)
  // `import` rejects with a TypeError.
  if (error instanceof TypeError) return words.notLoaded
  return String(error instanceof Error ? error.message : error)
}

/** Joins a voice channel, from a running call without a gap. Loads the code of media when first used. */
export async function join(channel_id: number): Promise<void> {
  if (joining.value) return
  if (!canCall()) return void (callError.value = words.voice.noCalls)
  joining.value = true
  callError.value = ''
  const now = currentCall.value
  const work = now?.state === 'connected' && now.channel_id !== channel_id ? move(now, channel_id) : begin(channel_id)
  await work.finally(() => (joining.value = false))
}

/** Takes a running call to another channel. */
async function move(call: VoiceCall, channel_id: number): Promise<void> {
  try {
    const { joinsMuted } = await import('./talk-gate.ts')
    // A listener may have gained a microphone.
    const track = call.microphone?.readyState === 'live' ? undefined : await microphone()
    if (track && call.state !== 'ended') await call.setMicrophone(track)
    track?.stop()
    await call.move(channel_id, call.self_deaf || (call.self_mute && !track) || joinsMuted())
    watchedScreen.value = undefined
    touchCall()
  } catch (error) {
    callError.value = problemIn(error)
  }
}

async function begin(channel_id: number): Promise<void> {
  await hangUp()
  let track: MediaStreamTrack | undefined
  try {
    track = await microphone()
    const { TalkGate, VoiceCall, joinsMuted } = await import('./talk-gate.ts')
    currentCall.value = await VoiceCall.join(
      {
        gateway: voiceGateway(gateway),
        channel_id,
        self_mute: joinsMuted() || !track,
        receives_what_is_looked_at: true,
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
          const endings: Record<string, string | undefined> = words.voice.ended
          callError.value = endings[reason] ?? words.voice.endedOtherwise
          clearCall()
        },
      },
    )
    gate = new TalkGate(currentCall.value)
  } catch (error) {
    callError.value = problemIn(error)
  }
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

/** Handles a declined call: a dm's call ends if nobody else is in it. */
async function heardOfDecline(channel_id: number, user_id: number): Promise<void> {
  const now = currentCall.value
  if (now?.channel_id !== channel_id || user_id === state.me()) return
  if (state.channels.get(channel_id)?.type === 'dm' && now.peers.size === 0) await hangUp()
  callError.value = words.voice.declined(nameOf(user_id))
}

gateway.listen(({ t, d }) => {
  if (t === 'call.declined') void heardOfDecline(d.channel_id, d.user_id)
})
window.addEventListener('pagehide', () => {
  if (account.value === 'logged_in') void currentCall.value?.leave()
})

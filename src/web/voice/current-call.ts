import { signal } from '@preact/signals'
import { chosenDevice, type DeviceKind, rememberDevice } from './devices.ts'
import { account, gateway, state } from '../state/session.ts'
import type { VoiceCall } from './call.ts'
import { startPlaying } from './playing.ts'
import type { TalkGate } from './talk-gate.ts'
import { callError, canCall, currentCall, isCallSmall, joining, touchCall } from './shown-call.ts'
import { voiceGateway } from './voice-gateway.ts'
import { ApiError } from '../client/rest.ts'
import { nameOf } from '../state/names.ts'
import { reasonOf } from '../state/reason.ts'
import { callWords } from '../words/call.ts'
import { askToConfirm } from '../ui/kit/ask.tsx'
import { words } from '../words/words.ts'
import { onDevice } from '../state/stored.ts'

const VOLUME = 'parley.volume.'
const MUTED = 'parley.muted.'

/** The voice session whose shared screen is watched. */
export const watchedScreen = signal<string | undefined>(undefined)

const players = new Map<string, HTMLAudioElement>()
const playerKey = (peerId: string, source: string) => `${peerId} ${source}`

/** The volume at which an account is played, 0 to VOLUME_MAX; kept in this browser. */
export const volumeOf = (userId: number): number => Number(onDevice.getItem(VOLUME + userId) ?? 1)
/** True if the account is muted only in this browser. */
export const isMutedHere = (userId: number): boolean => onDevice.getItem(MUTED + userId) !== null

export function muteHere(userId: number, isOn: boolean): void {
  if (isOn) onDevice.setItem(MUTED + userId, 'yes')
  else onDevice.removeItem(MUTED + userId)
  applyVolume(userId)
}

export function setVolume(userId: number, volume: number): void {
  onDevice.setItem(VOLUME + userId, String(volume))
  applyVolume(userId)
}

function loudly(player: HTMLAudioElement, userId: number): void {
  const volume = isMutedHere(userId) ? 0 : volumeOf(userId)
  void import('./loudness.ts').then(({ setLoudness }) => setLoudness(player, volume, chosenDevice('audiooutput')))
}

function applyVolume(userId: number): void {
  for (const [id, peer] of currentCall.value?.peers ?? [])
    if (peer.info.user.id === userId)
      for (const source of ['microphone', 'screen_audio']) {
        const player = players.get(playerKey(id, source))
        if (player) loudly(player, userId)
      }
  touchCall()
}

function play(peerId: string, source: string, stream: MediaStream): void {
  if (source !== 'microphone' && source !== 'screen_audio') return touchCall()
  const player = players.get(playerKey(peerId, source)) ?? new Audio()
  players.set(playerKey(peerId, source), player)
  player.srcObject = stream
  loudly(player, currentCall.value?.peers.get(peerId)?.info.user.id ?? 0)
  void playOn(player, chosenDevice('audiooutput'))
  startPlaying(player)
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

/** Everybody enters a stage as a listener, whose microphone stays closed. */
const isStage = (id: number): boolean => state.channels.get(id)?.type === 'stage'

let speakingKey = ''
let gate: TalkGate | undefined

function problemIn(error: unknown): string {
  if (error instanceof ApiError) return reasonOf(error)
  // `import` rejects with a TypeError.
  if (error instanceof TypeError) return words.notLoaded
  return String(error instanceof Error ? error.message : error)
}

/** Loads the code of media before a call is joined: while it rings, or when a button that joins it has the pointer. */
export function prepareCall(): void {
  if (!canCall()) return
  import('./talk-gate.ts').then(({ prepareSealing }) => prepareSealing(false)).catch(() => {})
}

/**
 * Joins a voice channel, from a running call without a gap. Loads the code of media when first used. An invisible
 * account is asked before others see it in its first call.
 */
export async function join(channel_id: number): Promise<void> {
  if (joining.value) return
  if (!canCall()) return void (callError.value = callWords.noCalls)
  if (state.ownStatus?.status !== 'invisible' || currentCall.value) return joinSeen(channel_id)
  const { statusWords } = await import('../words/status.ts')
  await askToConfirm({ ...statusWords.seen, work: async () => () => void joinSeen(channel_id) })
}

async function joinSeen(channel_id: number): Promise<void> {
  if (joining.value) return
  joining.value = true
  isCallSmall.value = false
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
    const isOpen = call.microphone?.readyState === 'live' || isStage(channel_id)
    const track = isOpen ? undefined : await microphone()
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
    const loading = import('./talk-gate.ts')
    // While the microphone opens.
    loading.then(({ prepareSealing }) => prepareSealing(true)).catch(() => {})
    if (!isStage(channel_id)) track = await microphone()
    const { deviceStore, joinsMuted, noteSealing, openFrameWorker: openWorker, TalkGate, VoiceCall } = await loading
    currentCall.value = await VoiceCall.join(
      {
        gateway: voiceGateway(gateway),
        channel_id,
        openWorker,
        devices: deviceStore,
        self_mute: joinsMuted() || !track,
        receives_what_is_looked_at: true,
        bits: (id) => state.channels.get(id)?.bitrate ?? undefined,
        ...(track ? { microphone: track } : {}),
      },
      {
        changed: touchCall,
        stream: play,
        streamEnded: (peerId, source) => {
          silence(playerKey(peerId, source))
          touchCall()
        },
        levels: () => {
          const now = [...(currentCall.value?.peers.values() ?? [])].map((peer) => peer.speaking).join()
          if (now !== speakingKey) touchCall()
          speakingKey = now
        },
        ended: (reason) => {
          const endings: Record<string, string | undefined> = callWords.ended
          callError.value = endings[reason] ?? callWords.endedOtherwise
          clearCall()
        },
      },
    )
    noteSealing(currentCall.value.sealing.state !== 'off')
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
async function heardOfDecline(channel_id: number, userId: number): Promise<void> {
  const now = currentCall.value
  if (now?.channel_id !== channel_id || userId === state.me()) return
  if (state.channels.get(channel_id)?.type === 'dm' && now.peers.size === 0) await hangUp()
  callError.value = callWords.declined(nameOf(userId))
}

gateway.listen(({ t, d }) => {
  if (t === 'voice.sound') {
    const { value: call } = currentCall
    if (
      call &&
      !call.self_deaf &&
      !call.server_deaf &&
      (call.id === d.voice_session_id || call.peers.has(d.voice_session_id))
    )
      void import('./sounds.ts').then(({ playSound }) => playSound(d.url)).catch(() => {})
  }
  if (t === 'call.declined') void heardOfDecline(d.channel_id, d.user_id)
})
window.addEventListener('pagehide', () => {
  if (account.value === 'logged_in') void currentCall.value?.leave()
})

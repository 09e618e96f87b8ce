import { signal } from '@preact/signals'
import type { VoiceCall } from './call.ts'
import { reportActivity } from './activity.ts'
import { listenForCallKeys } from './call-keys.ts'
import { toggleCamera } from './cameras.ts'
import { chooseDevice, hangUp } from './current-call.ts'
import { heardOneself, touchCall } from './shown-call.ts'
import { chosenDevice } from './devices.ts'
import { LevelMeter } from './level-meter.ts'
import { listens } from './stage-part.ts'

/** Debounce of device changes: browsers report one change several times. */
const DEVICES_MS = 300
const LISTEN_MS = 70
/** Minimum time between two tries to open a microphone that ends at once. */
const AGAIN_MS = 2_000
/** Speech threshold, the same as for others: 2 % of full scale, with a short hold afterwards. */
const SPEAKING_LEVEL = 0.43
const SPOKEN_MS = 400

/** The reason why others cannot hear an unmuted member: there is no track, or the system has muted it. */
export type MicrophoneFault = 'none' | 'muted' | undefined
export const microphoneFault = signal<MicrophoneFault>(undefined)

function faultOf(call: VoiceCall): MicrophoneFault {
  const { microphone, self_mute } = call
  if (listens(call)) return undefined
  if (microphone?.readyState !== 'live') return 'none'
  return microphone.muted && !self_mute ? 'muted' : undefined
}

/** Reopens the microphone and loudspeaker when devices change: the chosen ones, or others if those are gone. */
function watchDevices(): () => void {
  const { mediaDevices } = navigator
  let timer: ReturnType<typeof setTimeout> | undefined
  const onChange = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      for (const kind of ['audioinput', 'audiooutput'] as const) void chooseDevice(kind, chosenDevice(kind))
    }, DEVICES_MS)
  }
  mediaDevices?.addEventListener('devicechange', onChange)
  return () => {
    clearTimeout(timer)
    mediaDevices?.removeEventListener('devicechange', onChange)
  }
}

/**
 * Reports when others cannot hear the microphone. Reopens one that ended by itself, for instance because its permission
 * was revoked, and mutes the member if there is none; unmuting asks for one again.
 */
function keepMicrophone(call: VoiceCall): () => void {
  let isTaking = false
  let takenAt = -AGAIN_MS
  const take = async () => {
    await chooseDevice('audioinput', chosenDevice('audioinput')).catch(() => undefined)
    if (call.microphone || call.self_mute || call.state === 'ended') return
    await call.setMute(true).then(touchCall)
  }
  const timer = setInterval(() => {
    microphoneFault.value = faultOf(call)
    const { microphone, self_mute } = call
    const isMissed = !self_mute && !microphone
    const hasEnded = microphone?.readyState === 'ended' && performance.now() - takenAt >= AGAIN_MS
    if (isTaking || !(isMissed || hasEnded)) return
    isTaking = true
    void take()
      .catch(() => undefined)
      .finally(() => {
        isTaking = false
        takenAt = performance.now()
      })
  }, LISTEN_MS)
  return () => {
    clearInterval(timer)
    microphoneFault.value = undefined
  }
}

/** Sets heardOneself while the microphone is open and the level is above the threshold. */
function listenToOneself(call: VoiceCall): () => void {
  let meter: LevelMeter | undefined
  let track: MediaStreamTrack | undefined
  let spokeAt = -SPOKEN_MS
  const timer = setInterval(() => {
    if (track !== call.microphone) {
      // Another microphone was chosen.
      meter?.stop()
      track = call.microphone
      meter = track && new LevelMeter(track)
    }
    if (track?.enabled && !call.silenced && (meter?.read() ?? 0) >= SPEAKING_LEVEL) spokeAt = performance.now()
    heardOneself.value = performance.now() - spokeAt < SPOKEN_MS
  }, LISTEN_MS)
  return () => {
    clearInterval(timer)
    meter?.stop()
    heardOneself.value = false
  }
}

/** Keys and devices of a call. @returns a function that stops this */
function attend(call: VoiceCall): () => void {
  const stops = [
    watchDevices(),
    keepMicrophone(call),
    listenToOneself(call),
    reportActivity(call),
    listenForCallKeys({
      mute: () => call.setMute(!call.self_mute).then(touchCall),
      deafen: () => call.setDeaf(!call.self_deaf).then(touchCall),
      camera: () => toggleCamera(call),
      leave: hangUp,
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

let attention: { call: VoiceCall; panels: number; stop: () => void } | undefined

/**
 * Attends to the keys and devices of a call once, for as long as any panel shows it: wide and narrow pages have one
 * each.
 * @returns a function for when the panel is gone
 */
export function attendCall(call: VoiceCall): () => void {
  const item = attention?.call === call ? attention : { call, panels: 0, stop: attend(call) }
  attention = item
  item.panels++
  return () => {
    item.panels--
    if (item.panels > 0) return
    item.stop()
    if (attention === item) attention = undefined
  }
}

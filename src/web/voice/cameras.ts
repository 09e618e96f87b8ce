import { signal } from '@preact/signals'
import { callWords } from '../words/call.ts'
import { ApiError } from '../client/rest.ts'
import { reasonOf } from '../state/reason.ts'
import type { VoiceCall } from './call.ts'
import { callError } from './shown-call.ts'
import { chosenDevice } from './devices.ts'

/** Camera constraints. The browser picks the nearest mode. */
const WISH = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } }

/** True while the camera is being turned on. */
export const cameraStarting = signal(false)

async function openCamera(): Promise<MediaStreamTrack | undefined> {
  const video = { ...WISH, deviceId: { ideal: chosenDevice('videoinput') } }
  const stream = await navigator.mediaDevices?.getUserMedia({ video }).catch(() => undefined)
  return stream?.getVideoTracks()[0]
}

/** Uses the chosen camera in a call whose camera is on. */
export async function changeCamera(call: VoiceCall): Promise<void> {
  if (!call.camera) return
  const track = await openCamera()
  if (track && call.state !== 'ended') await call.setCamera(track)
  track?.stop()
}

/** Turns the camera on or off. The browser may ask the person first. */
export async function toggleCamera(call: VoiceCall): Promise<void> {
  if (call.camera) return call.setCamera()
  if (cameraStarting.value) return
  cameraStarting.value = true
  callError.value = ''
  try {
    const track = await openCamera()
    if (!track) callError.value = isSecureContext ? callWords.noCamera : callWords.needsHttps
    // The call may have ended meanwhile; it sends a clone.
    else if (call.state !== 'ended') await call.setCamera(track)
    track?.stop()
  } catch (error) {
    callError.value = error instanceof ApiError ? reasonOf(error) : String(error)
  }
  cameraStarting.value = false
}

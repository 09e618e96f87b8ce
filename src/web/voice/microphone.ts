import { chosenDevice } from './devices.ts'
import { MUSIC, WHOLE } from './sound-first.ts'
import { talkSettings } from './talk-settings.ts'

/**
 * Opens the chosen microphone with the person's filters. The caller has to stop the track and its clones.
 * @returns undefined if there is none, or the page may not use it
 */
export async function openMicrophone(): Promise<MediaStreamTrack | undefined> {
  const { echo, noise, gain, music } = talkSettings.peek()
  // `ideal`, not `exact`: if the chosen device was unplugged, take another one.
  const deviceId = { ideal: chosenDevice('audioinput') }
  const take = async (noiseSuppression: boolean) => {
    const audio: MediaTrackConstraints = music
      ? { ...WHOLE, deviceId }
      : { echoCancellation: echo, autoGainControl: gain, noiseSuppression, deviceId }
    const stream = await navigator.mediaDevices?.getUserMedia({ audio }).catch(() => undefined)
    const [track] = stream?.getAudioTracks() ?? []
    if (track && music) track.contentHint = MUSIC
    return track
  }
  const track = await take(noise === 'browser')
  if (!track || music || noise !== 'rnnoise') return track
  try {
    const { withoutNoise } = await import('./noise-filter.ts')
    return await withoutNoise(track)
  } catch {
    // The filter could not be loaded or does not run: the browser's does its work.
    track.stop()
    return take(true)
  }
}

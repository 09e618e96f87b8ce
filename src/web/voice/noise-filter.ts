import { loadRnnoise, RnnoiseWorkletNode } from '@sapphi-red/web-noise-suppressor'
import { isRunning } from './audio-context.ts'

/** Set by the build: paths of the worklet, and of RNNoise with and without SIMD. */
declare const NOISE: { worklet: string; wasm: string; simd: string }

/** RNNoise is trained for this rate. */
const SAMPLES_PER_SECOND = 48_000

/** Calls `release` once the track and every clone of it are stopped. */
function withCount(track: MediaStreamTrack, users: Set<MediaStreamTrack>, release: () => void): MediaStreamTrack {
  const [clone, stop] = [track.clone.bind(track), track.stop.bind(track)]
  users.add(track)
  track.clone = () => withCount(clone(), users, release)
  track.stop = () => {
    stop()
    if (users.delete(track) && users.size === 0) release()
  }
  return track
}

/**
 * Removes noise from a microphone's audio by RNNoise, in an audio worklet.
 * @param microphone stopped once the returned track and its clones are
 * @throws Error if the filter cannot be loaded, or the browser does not run it
 */
export async function withoutNoise(microphone: MediaStreamTrack): Promise<MediaStreamTrack> {
  const context = new AudioContext({ sampleRate: SAMPLES_PER_SECOND })
  try {
    const [wasmBinary, , runs] = await Promise.all([
      loadRnnoise({ url: NOISE.wasm, simdUrl: NOISE.simd }),
      context.audioWorklet.addModule(NOISE.worklet),
      isRunning(context),
    ])
    if (!runs) throw new Error('The browser runs no audio context')
    const filter = new RnnoiseWorkletNode(context, { maxChannels: 1, wasmBinary })
    const output = new MediaStreamAudioDestinationNode(context, { channelCount: 1 })
    context
      .createMediaStreamSource(new MediaStream([microphone]))
      .connect(filter)
      .connect(output)
    const [clean] = output.stream.getAudioTracks()
    if (!clean) throw new Error('The filter has no output')
    const users = new Set<MediaStreamTrack>()
    // An unplugged or revoked microphone would leave silence, so stop the filtered tracks for their users to notice.
    microphone.addEventListener('ended', () => [...users].forEach((each) => each.stop()))
    return withCount(clean, users, () => {
      microphone.stop()
      filter.destroy()
      void context.close()
    })
  } catch (error) {
    await context.close()
    throw error
  }
}

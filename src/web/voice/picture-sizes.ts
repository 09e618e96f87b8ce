import type { types } from 'mediasoup-client'
import type { Source } from './local-tracks.ts'

/** Bits for a pixel of a screen, per second: moving pictures take more than text. */
const SCREEN_BITS = { detail: 1.5, motion: 3 }
const SCREEN_BITS_MIN = 2_500_000
const SCREEN_BITS_MAX = 12_000_000
/**
 * Pictures in two temporal layers carry an index (VP8's TL0PICIDX). Without it, mediasoup passes on the numbers of each
 * size's pictures as they are, and Chromium begins all sizes with the same number now and then: a key frame of another
 * size had the number of a picture that was not decoded yet, the receiver dropped it, and showed garbage from then on.
 */
const NUMBERED = 'L1T2'
const CAMERA: types.RtpEncodingParameters[] = [
  { maxBitrate: 120_000, scaleResolutionDownBy: 4, scalabilityMode: NUMBERED },
  { maxBitrate: 350_000, scaleResolutionDownBy: 2, scalabilityMode: NUMBERED },
  { maxBitrate: 1_200_000, scalabilityMode: NUMBERED },
]
/** Chromium sends fewer than three sizes of a picture that is smaller than this, and leaves out the largest. */
const THREE_SIZES_MIN = 960 * 540
const SMALL_CAMERA: types.RtpEncodingParameters[] = [
  { maxBitrate: 60_000, scaleResolutionDownBy: 4, scalabilityMode: NUMBERED },
  { maxBitrate: 1_200_000, scalabilityMode: NUMBERED },
]
/** Largest heights, screen pixels, for which a smaller layer is enough; cameras capture 720 lines. */
const HEIGHTS: Record<string, number[]> = { camera: [200, 400], screen: [400] }

/** The sizes in which pictures are sent; undefined for sound. */
export function encodingsOf(source: Source, track: MediaStreamTrack): types.RtpEncodingParameters[] | undefined {
  if (track.kind === 'audio') return undefined
  const { width = 0, height = 0 } = track.getSettings()
  if (source === 'screen') return screenSizes(width * height, track.contentHint === 'motion' ? 'motion' : 'detail')
  return width * height < THREE_SIZES_MIN ? SMALL_CAMERA : CAMERA
}

/** A screen is sent in two sizes: a member with a small view receives the small one. */
function screenSizes(pixels: number, kind: 'detail' | 'motion'): types.RtpEncodingParameters[] {
  const maxBitrate = Math.min(SCREEN_BITS_MAX, Math.max(SCREEN_BITS_MIN, pixels * SCREEN_BITS[kind]))
  return [
    { maxBitrate: Math.round(maxBitrate / 5), scaleResolutionDownBy: 2, scalabilityMode: NUMBERED },
    { maxBitrate: Math.round(maxBitrate), scalabilityMode: NUMBERED },
  ]
}

/** The smallest layer of a simulcast source that fills the height; undefined for a source with one layer. */
export function layerFor({ rtpParameters }: types.Consumer, source: Source, height: number): number | undefined {
  // mediasoup names the sizes of a consumer like SVC layers: L3T1.
  const sizes = Number(/^[LS](\d+)T/.exec(rtpParameters.encodings?.[0]?.scalabilityMode ?? '')?.[1] ?? 1)
  if (sizes === 1) return undefined
  const layer = (HEIGHTS[source] ?? []).filter((limit) => height > limit).length
  return Math.min(layer, sizes - 1)
}

import type { Page } from 'playwright-core'
import type { Parley } from '../../../src/parley.ts'

// Facts about a call for a story that fails: they tell whether packets did not come, had no sound, or were not shown.

declare global {
  /** The media that the page has opened. */
  var openedMedia: OpenedMedia | undefined
}

interface OpenedMedia {
  connections: RTCPeerConnection[]
  contexts: AudioContext[]
}

/** A page that takes longer to answer, ms, hangs. */
const ANSWER_MS_MAX = 10_000

/** Runs in a page before its scripts: keeps its connections and audio contexts. */
export function keepMedia(): OpenedMedia {
  const [connections, contexts]: [RTCPeerConnection[], AudioContext[]] = [[], []]
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.push(this)
    }
  }
  globalThis.AudioContext = class extends AudioContext {
    constructor(options?: AudioContextOptions) {
      super(options)
      contexts.push(this)
    }
  }
  return (globalThis.openedMedia = { connections, contexts })
}

/** Runs in a page: what its connections send and receive, and what it shows of the call. */
export async function mediaFacts() {
  const { connections = [], contexts = [] } = globalThis.openedMedia ?? {}
  const kinds = ['inbound-rtp', 'outbound-rtp', 'media-source']
  const names = [
    'type kind mid rid ssrc active state audioLevel totalAudioEnergy totalSamplesReceived concealedSamples',
    'packetsSent packetsReceived',
    'packetsLost packetsDiscarded bytesReceived frames frameHeight framesPerSecond framesEncoded framesSent',
    'framesReceived framesDecoded framesDropped targetBitrate encoderImplementation decoderImplementation',
    'keyFramesEncoded keyFramesDecoded pliCount firCount nackCount freezeCount qualityLimitationReason',
  ].flatMap((line) => line.split(' '))
  const telling = (entry: object) => Object.fromEntries(Object.entries(entry).filter(([name]) => names.includes(name)))
  const open = connections.filter(({ connectionState }) => connectionState !== 'closed')
  const facts = open.map(async (each) => {
    const stats: Record<string, unknown>[] = [...(await each.getStats()).values()]
    const codecOf = ({ codecId }: Record<string, unknown>) => stats.find(({ id }) => id === codecId)?.['mimeType']
    const endOf = (id: unknown) => stats.find((entry) => entry['id'] === id)?.['candidateType']
    const pairs = stats.filter(({ type, nominated }) => type === 'candidate-pair' && nominated)
    const { connectionState, iceConnectionState, signalingState } = each
    return {
      states: [connectionState, iceConnectionState, signalingState],
      pairs: pairs.map((pair) => [pair['state'], endOf(pair['localCandidateId']), endOf(pair['remoteCandidateId'])]),
      media: stats
        .filter(({ type }) => kinds.includes(String(type)))
        .map((entry): Record<string, unknown> => ({ ...telling(entry), codec: codecOf(entry) })),
      transceivers: each
        .getTransceivers()
        .map(({ mid, direction, currentDirection }) => [mid, `${direction}, now ${currentDirection}`]),
      sent: each.getSenders().map(({ track }) => track && [track.kind, track.readyState, track.enabled, track.muted]),
      received: each.getReceivers().map(({ track }) => [track.kind, track.readyState, track.enabled, track.muted]),
      // Level and age, ms, of the newest sound.
      heard: each.getReceivers().map((receiver) => {
        const [newest] = receiver.getSynchronizationSources()
        return newest && [newest.audioLevel, Math.round(performance.timeOrigin + performance.now() - newest.timestamp)]
      }),
    }
  })
  const parts = [...document.querySelectorAll('.call-room, [role=alert], .voice-panel')]
  return {
    connections: await Promise.all(facts),
    closed: connections.length - open.length,
    contexts: contexts.map(({ state }) => state),
    shown: parts.map((element) => `${element.className}: ${element.textContent}`),
    // Of a page without the client's own interface.
    caller: await globalThis.caller?.facts(),
  }
}

/** Does what a story does in a call. If that fails, the error tells what the pages and the server know of the call. */
export async function inCall(pages: { page: Page }[], { parts }: Parley, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const factsOf = ({ page }: { page: Page }) =>
      Promise.race([page.evaluate(mediaFacts).catch(String), Bun.sleep(ANSWER_MS_MAX).then(() => 'does not answer')])
    const facts = await Promise.all(pages.map(factsOf))
    const metrics = (await parts.metrics.registry.metrics()).match(/^parley_voice_\w+(members|rooms|total)\S* .*$/gm)
    const { message } = error instanceof Error ? error : { message: String(error) }
    throw new Error([message, ...facts.map((each) => JSON.stringify(each)), metrics?.join('\n')].join('\n'))
  }
}

import { Device, type types } from 'mediasoup-client'
import type { TransportOffer } from '../../../src/voice/sfu/peer-transports.ts'
import { encodingsOf } from '../../../src/web/voice/picture-sizes.ts'

// A member of a room on the SFU, in a browser, without a gateway: the test runs its commands.
declare global {
  var ask: (op: string, ...args: unknown[]) => Promise<any>
  var member: ReturnType<typeof openMember>
}

function openMember() {
  let device: Device
  let sending: types.Transport
  let receiving: types.Transport
  const producers = new Map<string, types.Producer>()
  const consumers = new Map<string, types.Consumer>()

  async function open(direction: 'send' | 'recv', protocol?: string): Promise<types.Transport> {
    const offer: TransportOffer = await ask('createTransport', direction)
    const options = {
      id: offer.transport_id,
      iceParameters: offer.ice_parameters,
      iceCandidates: offer.ice_candidates.filter((one) => protocol === undefined || one.protocol === protocol),
      dtlsParameters: offer.dtls_parameters,
    } as types.TransportOptions
    const transport = direction === 'send' ? device.createSendTransport(options) : device.createRecvTransport(options)
    transport.on('connect', ({ dtlsParameters }, done, failed) => {
      ask('connect', transport.id, dtlsParameters).then(done, failed)
    })
    transport.on('produce', ({ kind, rtpParameters, appData }, done, failed) => {
      ask('produce', transport.id, kind, rtpParameters, appData.source).then(
        ({ producer_id }) => done({ id: producer_id }),
        failed,
      )
    })
    return transport
  }

  async function trackOf(source: string): Promise<MediaStreamTrack | undefined> {
    const { mediaDevices } = navigator
    if (source === 'screen') return (await mediaDevices.getDisplayMedia({ video: true })).getTracks()[0]
    return (
      await mediaDevices.getUserMedia({ audio: source === 'microphone', video: source === 'camera' })
    ).getTracks()[0]
  }

  return {
    /** @param protocol takes only the server's candidates of this one */
    async join(protocol?: 'udp' | 'tcp') {
      device = await Device.factory()
      await device.load({ routerRtpCapabilities: await ask('capabilities') })
      sending = await open('send', protocol)
      receiving = await open('recv', protocol)
    },
    async send(source: string) {
      const track = await trackOf(source)
      const encodings = track && source === 'camera' ? encodingsOf('camera', track) : undefined
      const producer = await sending.produce({ track, encodings, appData: { source } })
      producers.set(producer.id, producer)
      return producer.id
    },
    async receive(producer_id: string) {
      const { consumer_id, kind, rtp_parameters } = await ask('consume', producer_id, device.recvRtpCapabilities)
      const consumerOptions = { id: consumer_id, producerId: producer_id, kind, rtpParameters: rtp_parameters }
      const consumer = await receiving.consume(consumerOptions)
      consumers.set(consumer_id, consumer)
      const element = document.createElement(kind)
      element.autoplay = true
      element.srcObject = new MediaStream([consumer.track])
      document.body.append(element)
      return consumer_id
    },
    async restartIce() {
      for (const transport of [sending, receiving]) {
        const { ice_parameters } = await ask('restartIce', transport.id)
        await transport.restartIce({ iceParameters: ice_parameters })
      }
    },
    /** Media received through a consumer so far. */
    async arrived(consumer_id: string) {
      const report = [...((await consumers.get(consumer_id)?.getStats()) ?? new Map()).values()]
      const {
        totalAudioEnergy = 0,
        framesDecoded = 0,
        frameHeight = 0,
      } = report.find(({ type }) => type === 'inbound-rtp') ?? {}
      return { energy: totalAudioEnergy, frames: framesDecoded, height: frameHeight }
    },
    tone: (consumer_id: string) => toneIn(consumers.get(consumer_id)!.track),
    close() {
      sending.close()
      receiving.close()
    },
  }
}

/** Mean share of a tone of 440 Hz in two seconds of sound: 1 for nothing but the tone. */
async function toneIn(track: MediaStreamTrack): Promise<number> {
  const context = new AudioContext()
  const analyser = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0 })
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
  const levels = new Float32Array(analyser.frequencyBinCount)
  const bin = Math.round((440 * analyser.fftSize) / context.sampleRate)
  const sumOf = (some: number[]) => some.reduce((sum, power) => sum + power, 0)
  const shares: number[] = []
  for (let time = 0; time < 20; time++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    analyser.getFloatFrequencyData(levels)
    const powers = [...levels].map((level) => (level === -Infinity ? 0 : 10 ** (level / 10)))
    if (sumOf(powers) > 1e-9) shares.push(sumOf(powers.slice(bin - 3, bin + 4)) / sumOf(powers))
  }
  await context.close()
  return sumOf(shares) / Math.max(1, shares.length)
}

globalThis.member = openMember()

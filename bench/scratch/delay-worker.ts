import { codecOf } from '../../src/web/voice/sealing/clear-part.ts'
import { Counters, FrameSealer } from '../../src/web/voice/sealing/frame-sealer.ts'
const sealer = new FrameSealer()
const now = () => performance.now()
addEventListener('message', ({ data }: any) => { if (data.kind === 'epoch') sealer.add(data.epoch, now() + data.delayMs, now()); else sealer.begin(data.kind) })
const all = new Map<string, number[]>()
const put = (k: string, v: number) => { const l = all.get(k) ?? []; all.set(k, l); l.push(v) }
let meta = ''
setTimeout(() => { for (const [k, l] of all) { const s = l.toSorted((a, b) => a - b); const q = (p: number) => s[Math.floor(p * (s.length - 1))]!.toFixed(2); console.log(`DELAY ${k} n=${s.length} mean ${(s.reduce((a, b) => a + b, 0) / s.length).toFixed(3)} p50 ${q(0.5)} p95 ${q(0.95)} p99 ${q(0.99)}`) } console.log('DELAY meta ' + meta) }, 14000)
async function pump(t: any) {
  const { options, readable, writable } = t
  const { isAudio, side } = options
  const [reader, writer, counters] = [readable.getReader(), writable.getWriter(), new Counters()]
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const began = now()
    const frame = next.value
    const m = frame.getMetadata()
    if (side === 'receive' && meta === '') meta = JSON.stringify(m) + ' now ' + now() + ' origin ' + performance.timeOrigin
    const bytes = new Uint8Array(frame.data)
    put(`${side} ${isAudio ? 'sound' : 'picture'} bytes`, bytes.length)
    const media: any = { isAudio, codec: isAudio ? 'whole' : codecOf(m.mimeType) }
    const passed = await (side === 'send' ? sealer.seal(bytes, media, now()) : sealer.open(bytes, media, options.from, counters, now()))
    if (!passed) continue
    frame.data = passed.buffer
    await writer.write(frame)
    put(`${side} ${isAudio ? 'sound' : 'picture'} in worker`, now() - began)
    if (m.receiveTime) put(`${side} ${isAudio ? 'sound' : 'picture'} since received`, now() - m.receiveTime)
    if (m.captureTime) put(`${side} ${isAudio ? 'sound' : 'picture'} since captured`, now() - m.captureTime)
  }
}
addEventListener('rtctransform', (event: any) => void pump(event.transformer).catch(() => {}))

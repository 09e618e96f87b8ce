import { codecOf } from '../../src/web/voice/sealing/clear-part.ts'
import { Counters as C0, FrameSealer as F0 } from './old-frame-sealer.ts'
import { Counters as C1, FrameSealer as F1 } from '../../src/web/voice/sealing/frame-sealer.ts'
declare const VARIANT: string
const Counters = (VARIANT === 'web' ? C0 : C1) as typeof C1
const FrameSealer = (VARIANT === 'web' ? F0 : F1) as typeof F1
const sealer = new FrameSealer()
const now = () => performance.now()
addEventListener('message', ({ data }: any) => {
  if (data.kind === 'epoch') sealer.add(data.epoch, now() + data.delayMs, now())
  else sealer.begin(data.kind)
})
async function pump(transformer: any): Promise<void> {
  const { options, readable, writable } = transformer
  if (VARIANT === 'pipe') return readable.pipeTo(writable)
  const { isAudio, side } = options
  const [reader, writer, counters] = [readable.getReader(), writable.getWriter(), new Counters()]
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const frame = next.value
    if (VARIANT === 'pass') { await writer.write(frame); continue }
    if (VARIANT === 'passNoAwait') { void writer.write(frame); continue }
    const bytes = new Uint8Array(frame.data)
    if (VARIANT === 'read') { await writer.write(frame); continue }
    if (VARIANT === 'copy') { frame.data = bytes.slice().buffer; await writer.write(frame); continue }
    const media: any = { isAudio, codec: isAudio ? 'whole' : codecOf(frame.getMetadata().mimeType) }
    const passed = await (side === 'send' ? sealer.seal(bytes, media, now()) : sealer.open(bytes, media, options.from, counters, now()))
    if (passed && passed !== bytes) frame.data = passed.buffer
    if (passed) { if (VARIANT === 'fullNoAwait') void writer.write(frame); else await writer.write(frame) }
  }
}
addEventListener('rtctransform', (event: any) => void pump(event.transformer).catch(() => {}))

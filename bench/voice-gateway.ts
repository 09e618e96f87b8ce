import type { VoiceGateway } from '../src/web/voice/call.ts'

/** A gateway connection for a call, in a browser or without one; resolves once it is ready. */
export async function openGateway(url: string): Promise<VoiceGateway> {
  const listeners = new Set<Parameters<VoiceGateway['onEvent']>[0]>()
  const answers = new Map<number, PromiseWithResolvers<any>>()
  const ready = Promise.withResolvers<void>()
  const socket = new WebSocket(url)
  let commands = 0
  socket.onclose = () => ready.reject(new Error('The gateway closed'))
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(`${data}`)
    if ('re' in frame) {
      const waiting = answers.get(frame.re)
      answers.delete(frame.re)
      return frame.error ? waiting?.reject(frame.error) : waiting?.resolve(frame.d)
    }
    if (frame.t === 'ready') ready.resolve()
    for (const listener of listeners) listener(frame)
  }
  await ready.promise
  return {
    command(op, d) {
      const id = ++commands
      const answer = Promise.withResolvers<any>()
      answers.set(id, answer)
      socket.send(JSON.stringify({ op, id, d }))
      return answer.promise
    },
    onEvent: (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    onReconnected: () => () => undefined,
  }
}

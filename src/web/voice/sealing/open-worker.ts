import type { OpenWorker } from './call-sealing.ts'

/** Set by the build: the path of src/web/voice/sealing/frame-worker.ts. */
declare const FRAMES: string

/** The path of the worker is a constant: nothing that anybody has written becomes a script. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('frames', { createScriptURL: (url) => url })

const start = (): Worker => new Worker(policy?.createScriptURL(FRAMES) ?? FRAMES)
let prepared: Worker | undefined

/** Starts a worker for the next call, while its microphone opens. */
export function prepareFrameWorker(): void {
  prepared ??= start()
}

export const openFrameWorker: OpenWorker = () => {
  const worker = prepared ?? start()
  prepared = undefined
  return worker
}

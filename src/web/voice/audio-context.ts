/** Time within which an audio context begins to run, ms. */
const START_MS_MAX = 2_000

/** False if the context does not run: Firefox runs none on a device without speakers. */
export async function isRunning(context: AudioContext): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const check = () => context.state === 'running' && resolve()
  context.addEventListener('statechange', check)
  check()
  await Promise.race([promise, new Promise((late) => setTimeout(late, START_MS_MAX))])
  context.removeEventListener('statechange', check)
  return context.state === 'running'
}

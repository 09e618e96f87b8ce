import { errorFields } from './adapters/log.ts'
import { RefusesToBoot } from './core/errors.ts'
import { readEnvironment } from './environment.ts'
import { startParley } from './parley.ts'

const STOP_SECONDS_MAX = 10

try {
  const environment = readEnvironment(process.env)
  const starting = startParley(environment)
  let stopping = false
  // Heard while it starts too: a PostgreSQL that runs already is stopped with the rest.
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_SECONDS_MAX * 1000).unref()
    await starting.then((parley) => parley.stop())
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const parley = await starting
  const { PUBLIC_URL, DATA_DIR } = environment
  console.log(`Parley listens on ${PUBLIC_URL ?? parley.url} · docs at ${parley.url}/docs · data in ${DATA_DIR}`)
  if (environment.RATE_LIMITS === 'off') console.error('RATE LIMITS ARE OFF: for tests and benchmarks only.')
  // One forgotten promise must not end everyone's conversations; it is a fault all the same, so it is told.
  process.on('unhandledRejection', (error) => parley.parts.log('error', 'unhandled', errorFields(error)))
} catch (error) {
  if (!(error instanceof RefusesToBoot)) throw error
  console.error(error.message)
  process.exit(1)
}

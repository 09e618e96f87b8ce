import { randomBytes } from 'node:crypto'
import { messageOf, RefusesToBoot } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { ObjectOperations, ObjectStore } from './object-store.ts'
import { isSdkError } from './s3-store.ts'

const PROBE_SECONDS = 60
/** Interval of probes while the store fails. Short, to detect recovery soon. */
const RETRY_SECONDS = 5
const ANSWER_MS_MAX = 5_000
/** Unanswered probes allowed at once. */
const RUNNING_MAX = 20
const BYTES = new TextEncoder().encode('probe')

/** Operations that a probe tries. */
export type Probed = Pick<ObjectOperations, 'put' | 'get' | 'delete'>

/** Why the store does not work: the failed operation and its error. */
interface Cause {
  operation: 'put' | 'get' | 'delete'
  error: unknown
}

/**
 * Monitors the object store by using it: periodically stores, reads and deletes a small object. Logs the cause of a
 * failure when it changes.
 */
export class StoreProbe {
  /** One key per process, so that processes do not delete each other's object and a crash leaves at most one. */
  private readonly key = `probe/${randomBytes(8).toString('hex')}`
  private cause: Cause | undefined
  /** The operation that the running probe is trying. */
  private operation: Cause['operation'] = 'put'
  private readonly running = new Set<Promise<Cause | undefined>>()
  private timer: Timer | undefined
  private beganMs = 0
  private isStopped = false

  constructor(
    private readonly objects: ObjectOperations,
    private readonly probed: Probed,
    private readonly log: Log,
  ) {}

  /** Wraps the store for the features: a failed operation triggers a probe. */
  watched(isFull: ObjectStore['isFull'] = async () => false): ObjectStore {
    const watch =
      <Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) =>
      (...args: Args) =>
        operation(...args).catch((error: unknown) => {
          this.probeSoon()
          throw error
        })
    const { objects } = this
    return {
      presignPut: objects.presignPut,
      presignGet: objects.presignGet,
      head: watch(objects.head),
      get: watch(objects.get),
      copy: watch(objects.copy),
      put: watch(objects.put),
      putStream: watch(objects.putStream),
      delete: watch(objects.delete),
      isReady: async () => this.cause === undefined,
      isFull,
    }
  }

  /**
   * Probes once, then at intervals.
   * @param place the store and the bucket, for error messages
   * @throws RefusesToBoot if the store answers that it will not accept files: no such bucket, a wrong key or secret
   */
  async start(place: { endpoint: string; bucket: string }): Promise<void> {
    await this.probe()
    const refusal = this.cause && refusalOf(this.cause, place)
    if (refusal !== undefined) {
      this.stop()
      throw new RefusesToBoot(refusal)
    }
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private probeSoon(): void {
    if (this.running.size > 0 || this.isStopped || Date.now() - this.beganMs < RETRY_SECONDS * 1000) return
    clearTimeout(this.timer)
    void this.probe()
  }

  private async probe(): Promise<void> {
    this.beganMs = Date.now()
    const late = Bun.sleep(ANSWER_MS_MAX).then((): Cause => ({
      operation: this.operation,
      error: new Error(`no answer within ${ANSWER_MS_MAX / 1000} s`),
    }))
    this.become(await Promise.race([this.attempt(), late]))
    if (this.isStopped) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.probe(), (this.cause ? RETRY_SECONDS : PROBE_SECONDS) * 1000)
    this.timer.unref()
  }

  /**
   * A request without an answer must not block later probes, so further ones start while it waits, up to RUNNING_MAX.
   */
  private attempt(): Promise<Cause | undefined> {
    if (this.running.size >= RUNNING_MAX) return new Promise(() => {})
    const attempt = this.causeOfFailure().finally(() => this.running.delete(attempt))
    this.running.add(attempt)
    return attempt
  }

  private async causeOfFailure(): Promise<Cause | undefined> {
    try {
      this.operation = 'put'
      await this.probed.put(this.key, BYTES, 'text/plain')
      this.operation = 'get'
      const stream = await this.probed.get(this.key)
      const bytes = stream && (await new Response(stream).bytes())
      if (!bytes || !Buffer.from(bytes).equals(BYTES)) throw new Error('what was stored is not there')
      this.operation = 'delete'
      await this.probed.delete(this.key)
      return undefined
    } catch (error) {
      return { operation: this.operation, error }
    }
  }

  private become(cause: Cause | undefined): void {
    const [before, after] = [this.cause, cause].map((one) => one && JSON.stringify(fieldsOf(one)))
    this.cause = cause
    if (before === after) return
    if (cause) this.log('error', 'objects.away', fieldsOf(cause))
    else this.log('info', 'objects.ready')
  }
}

/** The fields of the log line. Leaves out stacks and request ids, so that the same cause always looks the same. */
function fieldsOf({ operation, error }: Cause): Record<string, unknown> {
  const status = isSdkError(error) ? error.$metadata.httpStatusCode : undefined
  return { operation, error: error instanceof Error ? error.name : undefined, status, message: messageOf(error) }
}

/** The sentence for a refusal that waiting cannot fix; undefined for a store that is away or overloaded. */
function refusalOf(
  { operation, error }: Cause,
  { endpoint, bucket }: { endpoint: string; bucket: string },
): string | undefined {
  const status = isSdkError(error) ? (error.$metadata.httpStatusCode ?? 500) : 500
  if (!isSdkError(error) || status >= 500 || status === 408 || status === 429) return undefined
  if (error.name === 'NoSuchBucket') return `S3_BUCKET is not usable: there is no bucket ${bucket} at ${endpoint}.`
  if (error.name === 'InvalidAccessKeyId')
    return `S3_ACCESS_KEY_ID is not usable: the store at ${endpoint} does not know it.`
  if (error.name === 'SignatureDoesNotMatch')
    return `S3_SECRET_ACCESS_KEY is not usable: the store at ${endpoint} refuses its signature.`
  if (status === 401 || status === 403)
    return `S3_ACCESS_KEY_ID is not usable: it may not ${operation} objects in the bucket ${bucket} (${error.name}).`
  return `S3_ENDPOINT is not usable: it answers ${status} (${error.name}) to a ${operation} in the bucket ${bucket}.`
}

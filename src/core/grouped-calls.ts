/** A caller's pending call. */
interface Call<In, Out> {
  input: In
  result: PromiseWithResolvers<Out>
}

/**
 * Answers concurrent calls in groups: calls that arrive while groups are running share the next group. If a group
 * fails, its calls are retried one by one, so that a bad call fails only itself.
 */
export class GroupedCalls<In, Out> {
  readonly #waiting: Call<In, Out>[] = []
  #running = 0

  /**
   * @param answer answers the calls of a group, in their order
   * @param at_once concurrent groups
   * @param size_max calls per group
   * @param isShared true if each call of the group would fail in the same way
   */
  constructor(
    private readonly answer: (inputs: In[]) => Promise<Out[]>,
    private readonly at_once: number,
    private readonly size_max: number,
    private readonly queued_max: number,
    private readonly isShared: (error: unknown) => boolean,
  ) {}

  /** True if the queue is full; the caller must then refuse. */
  isFull(): boolean {
    return this.#waiting.length >= this.queued_max
  }

  call(input: In): Promise<Out> {
    const result = Promise.withResolvers<Out>()
    this.#waiting.push({ input, result })
    // Deferred, so that calls made in the same tick share a group.
    if (this.#running < this.at_once) queueMicrotask(() => this.#startNext())
    return result.promise
  }

  #startNext(): void {
    if (this.#running >= this.at_once || this.#waiting.length === 0) return
    this.#running++
    void this.#run(this.#waiting.splice(0, this.size_max)).finally(() => {
      this.#running--
      this.#startNext()
    })
  }

  async #run(calls: Call<In, Out>[]): Promise<void> {
    try {
      const results = await this.answer(calls.map(({ input }) => input))
      for (const [at, { result }] of calls.entries()) result.resolve(results[at] as Out)
    } catch (error) {
      if (calls.length === 1 || this.isShared(error)) return calls.forEach(({ result }) => result.reject(error))
      for (const call of calls) await this.#run([call])
    }
  }
}

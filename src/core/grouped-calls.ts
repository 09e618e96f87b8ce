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
  readonly #waitingCalls: Call<In, Out>[] = []
  #running = 0

  /**
   * @param answer answers the calls of a group, in their order
   * @param atOnce concurrent groups
   * @param sizeMax calls per group
   * @param isShared true if each call of the group would fail in the same way
   */
  constructor(
    private readonly answer: (inputs: In[]) => Promise<Out[]>,
    private readonly atOnce: number,
    private readonly sizeMax: number,
    private readonly queuedMax: number,
    private readonly isShared: (error: unknown) => boolean,
  ) {}

  /** True if the queue is full; the caller must then refuse. */
  isFull(): boolean {
    return this.#waitingCalls.length >= this.queuedMax
  }

  call(input: In): Promise<Out> {
    const result = Promise.withResolvers<Out>()
    this.#waitingCalls.push({ input, result })
    // Deferred, so that calls made in the same tick share a group.
    if (this.#running < this.atOnce) queueMicrotask(() => this.#startNext())
    return result.promise
  }

  #startNext(): void {
    if (this.#running >= this.atOnce || this.#waitingCalls.length === 0) return
    this.#running++
    void this.#run(this.#waitingCalls.splice(0, this.sizeMax)).finally(() => {
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

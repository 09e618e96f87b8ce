/** What one caller waits for. */
interface Call<In, Out> {
  input: In
  result: PromiseWithResolvers<Out>
}

/**
 * Answers many calls at once: those that come while earlier groups are under way go together with the next. A group
 * that fails is taken apart, so that a call fails by its own fault alone.
 */
export class GroupedCalls<In, Out> {
  readonly #waiting: Call<In, Out>[] = []
  #running = 0

  /**
   * @param answer answers the calls of a group, in their order
   * @param at_once how many groups may be under way
   * @param size_max how many calls a group has at most
   * @param isShared whether a group's failure would be that of each of its calls too
   */
  constructor(
    private readonly answer: (inputs: In[]) => Promise<Out[]>,
    private readonly at_once: number,
    private readonly size_max: number,
    private readonly queued_max: number,
    private readonly isShared: (error: unknown) => boolean,
  ) {}

  /** Whether the queue has no room for one more; the caller turns it away. */
  isFull(): boolean {
    return this.#waiting.length >= this.queued_max
  }

  call(input: In): Promise<Out> {
    const result = Promise.withResolvers<Out>()
    this.#waiting.push({ input, result })
    // A moment later: calls that come in the same moment go together.
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

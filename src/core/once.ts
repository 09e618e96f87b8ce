/** Makes a value on the first call, and returns it from then on. After a failure the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () =>
    (value ??= make().catch((error: unknown) => {
      value = undefined
      throw error
    }))
}

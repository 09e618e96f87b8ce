/** A value, or the promise of one. Frames that need no promise pass without one: each costs the worker a task. */
export type Soon<T> = T | Promise<T>

/** Goes on with a value, at once if it is here. */
export const afterwards = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value)

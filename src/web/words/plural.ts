/** A number with its noun, in the plural unless it is one. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString()} ${n === 1 ? one : many}`

/** A span of time in minutes, hours or days. */
export const spanOf = (seconds: number): string =>
  seconds < 3600
    ? count(seconds / 60, 'minute')
    : seconds < 86_400
      ? count(seconds / 3600, 'hour')
      : count(seconds / 86_400, 'day')

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a duration such as `30m`, `24h` or `7d`; infinite for `off`. */
export function periodMs(every: string): number {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(every) ?? []
  return unit === 'm' || unit === 'h' || unit === 'd' ? Number(count) * UNIT_MS[unit] : Infinity
}

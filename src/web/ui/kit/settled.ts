/**
 * Settings after the answer to a change: its fields as they are in the result, except those that were changed again
 * meanwhile. Fields of other changes, which are still on their way, stay as they were chosen.
 * @param now the settings that are shown
 * @param change the fields that were sent, the same objects as in `now`
 * @param result the server's answer; after a refusal, the settings before the change
 */
export function settled<T extends object>(now: T, change: Partial<T>, result: T): T {
  const names = (Object.keys(change) as (keyof T)[]).filter((name) => now[name] === change[name])
  return { ...now, ...Object.fromEntries(names.map((name) => [name, result[name]])) }
}

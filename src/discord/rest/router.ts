import type { Named } from '../refusals.ts'
import type { Call, Reply } from './call.ts'

/** A route of Discord's API. */
export interface Route {
  method: string
  /** Such as `/channels/:channel`; `:name` matches one part of the path. */
  pattern: string
  /** The kind of thing that the route is about, for errors. */
  named: Named | undefined
  /** True for routes whose path has a secret in place of a token. */
  isOpen: boolean
  run(call: Call): Promise<Reply>
}

/** Declares a route. */
export const route = (
  method: string,
  pattern: string,
  named: Named | undefined,
  run: (call: Call) => Promise<Reply>,
  isOpen = false,
): Route => ({ method, pattern, named, run, isOpen })

/** A route of which the path has a secret. */
export const openRoute = (method: string, pattern: string, named: Named | undefined, run: Route['run']): Route =>
  route(method, pattern, named, run, true)

/** A matched route, and the parts of the path that its pattern names. */
export interface Match {
  route: Route
  params: Record<string, string>
}

/** Finds the route of a path. @returns undefined if there is none; literal parts win over named ones */
export function openRouter(routes: Route[]): (method: string, path: string) => Match | undefined {
  const byLength = Map.groupBy(
    routes.map((each) => ({ route: each, parts: each.pattern.split('/') })),
    ({ parts }) => parts.length,
  )
  return (method, path) => {
    const segments = path.split('/').map(decoded)
    const fitting = (byLength.get(segments.length) ?? []).filter(
      (each) =>
        each.route.method === method &&
        each.parts.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at])),
    )
    const [best] = fitting.toSorted((a, b) => namedIn(a.parts) - namedIn(b.parts))
    if (!best) return undefined
    const names = best.parts.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), segments[at] ?? '']] : []))
    return { route: best.route, params: Object.fromEntries(names) }
  }
}

/** A part of a path without percent-encoding, which libraries use also where it changes nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const namedIn = (parts: string[]): number => parts.filter((part) => part.startsWith(':')).length

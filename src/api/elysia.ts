import { Elysia } from 'elysia'

/**
 * Gives schemas the parameters of the query as they were sent. Elysia splits each value at its commas and reads JSON in
 * it, so a search for "hello, world" would come as a list, and be refused. A repeated parameter stays a list.
 */
function keepQueryText({ query, request }: { query: Record<string, unknown>; request: Request }): void {
  if (Object.values(query).every((value) => typeof value === 'string')) return
  // In one pass: anyone may send a query with thousands of parameters.
  const sent = Map.groupBy(new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1)), ([name]) => name)
  for (const name of Object.keys(query)) {
    const values = (sent.get(name) ?? []).map(([, value]) => value)
    query[name] = values.length === 1 ? values[0] : values
  }
}

/** The app without routes. */
export const openElysia = () =>
  new Elysia({ handler: { standardHostname: false }, normalize: true }).onTransform(keepQueryText)

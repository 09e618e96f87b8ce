import { expect, test } from 'bun:test'
import { databaseUrl, parseDatabaseUrl } from '../../src/core/database-url.ts'

test('a DATABASE_URL names one host or several, each with its port or PostgreSQL’s', () => {
  const hostsOf = (text: string) => parseDatabaseUrl(text).hosts.map(({ host, port }) => `${host} ${port}`)
  expect(hostsOf('postgres://u:p@a:5433/parley')).toEqual(['a 5433'])
  expect(hostsOf('postgres://u:p%2Cq@a:5433,b,[::1]:5434/parley?sslmode=require')).toEqual([
    'a 5433',
    'b 5432',
    '::1 5434',
  ])
  expect(hostsOf('postgresql://a,b')).toEqual(['a 5432', 'b 5432'])
  const { url } = parseDatabaseUrl('postgres://u:p%40q@a:5433,b/parley?sslmode=require')
  expect([url.username, url.password, url.pathname, url.search]).toEqual(['u', 'p%40q', '/parley', '?sslmode=require'])
})

test('a socket’s directory needs no host, and what a writer may ask of a host is accepted', () => {
  for (const text of [
    'postgres:///parley?host=/run/postgresql',
    'postgres://parley@localhost/parley?host=%2Frun',
    'postgres://a,b/x?target_session_attrs=primary',
    'postgres://a,b/x?target_session_attrs=read-write',
    'postgres://a/x?target_session_attrs=any',
  ])
    expect(databaseUrl.safeParse(text).success).toBe(true)
})

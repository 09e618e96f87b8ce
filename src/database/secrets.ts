import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { RefusesToBoot } from '../core/errors.ts'
import { newPushSecret } from '../core/vapid.ts'
import type { Database, Sql } from './database.ts'

export const Secrets = z.object({
  /** Signs session tokens. */
  jwt: z.string().min(43),
  /** Unused since 0.17.0. Kept, because `restore` of an older version demands it of a backup. */
  objects_key_id: z.string().min(16),
  /** Signs the URLs of objects that are files of DATA_DIR. */
  objects_secret: z.string().min(43),
  /** Derives TURN passwords. */
  turn: z.string().min(43),
  /** Encrypts the secrets of authenticator apps. */
  factors: z.string().min(43),
  /** Signs requests to push services: the scalar of a P-256 key. */
  push: z.string().length(43),
  /** Derives the keys that sign requests to applications. */
  interactions: z.string().min(43),
})
export type Secrets = z.infer<typeof Secrets>

/** Generates the secrets of an installation. */
export const newSecrets = (): Secrets => ({
  jwt: randomBytes(32).toString('base64url'),
  objects_key_id: randomBytes(12).toString('hex'),
  objects_secret: randomBytes(32).toString('base64url'),
  turn: randomBytes(32).toString('base64url'),
  factors: randomBytes(32).toString('base64url'),
  push: newPushSecret(),
  interactions: randomBytes(32).toString('base64url'),
})

/** Path of the secrets of an installation without DATABASE_URL. */
export const secretsPath = (dataDirectory: string): string => join(dataDirectory, 'secrets.json')

/**
 * The secrets of an installation without DATABASE_URL, in a file under DATA_DIR: generated once, mode 0600.
 * @throws RefusesToBoot if the file is damaged: new secrets would silently end every session
 */
export function fileSecrets(dataDirectory: string): Secrets {
  const path = secretsPath(dataDirectory)
  const secrets = newSecrets()
  if (existsSync(path)) {
    const stored = Secrets.partial()
      .required({ jwt: true })
      .safeParse(parseOrUndefined(readFileSync(path, 'utf8')))
    if (!stored.success) throw new RefusesToBoot(`${path} is damaged; restore it, or remove it to end every session.`)
    // A file of an older version has fewer secrets; add the missing ones.
    if (Object.keys(secrets).every((name) => name in stored.data)) return Secrets.parse(stored.data)
    Object.assign(secrets, stored.data)
  }
  writeFileSecrets(dataDirectory, secrets)
  return secrets
}

/** Replaces the secrets of an installation without DATABASE_URL. */
export function writeFileSecrets(dataDirectory: string, secrets: Secrets): void {
  const path = secretsPath(dataDirectory)
  const file = openSync(`${path}.new`, 'w', 0o600)
  writeSync(file, JSON.stringify(secrets))
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.new`, path)
}

/** The secrets of an installation with DATABASE_URL: stored in the database, which all nodes read. */
export async function sharedSecrets(sql: Database): Promise<Secrets> {
  for (const [name, value] of Object.entries(newSecrets()))
    await sql`insert into secrets (name, value) values (${name}, ${value}) on conflict do nothing`
  const rows = await sql<{ name: string; value: string }[]>`select name, value from secrets`
  return Secrets.parse(Object.fromEntries(rows.map((row) => [row.name, row.value])))
}

/** Replaces the secrets of an installation with DATABASE_URL, in the caller's transaction. */
export async function writeSharedSecrets(sql: Sql, secrets: Secrets): Promise<void> {
  for (const [name, value] of Object.entries(secrets))
    await sql`insert into secrets (name, value) values (${name}, ${value})
      on conflict (name) do update set value = excluded.value`
}

/** Identifies an installation without revealing its secrets. */
export const installationOf = ({ jwt }: Secrets): string =>
  createHmac('sha256', jwt).update('installation').digest('hex').slice(0, 12)

function parseOrUndefined(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

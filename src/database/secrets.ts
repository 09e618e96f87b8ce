import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { RefusesToBoot } from '../core/errors.ts'
import type { Database } from './database.ts'

const Secrets = z.object({
  /** Signs session tokens. */
  jwt: z.string().min(43),
  /** Signs the embedded object store's URLs. */
  objects_key_id: z.string().min(16),
  objects_secret: z.string().min(43),
  /** Makes the passwords of TURN. */
  turn: z.string().min(43),
})
export type Secrets = z.infer<typeof Secrets>

const generate = (): Secrets => ({
  jwt: randomBytes(32).toString('base64url'),
  objects_key_id: randomBytes(12).toString('hex'),
  objects_secret: randomBytes(32).toString('base64url'),
  turn: randomBytes(32).toString('base64url'),
})

/**
 * The secrets of an installation without DATABASE_URL, in a file under DATA_DIR: generated once, mode 0600.
 * @throws RefusesToBoot when the file is damaged: new secrets would silently end every session
 */
export function fileSecrets(dataDirectory: string): Secrets {
  const path = join(dataDirectory, 'secrets.json')
  const secrets = generate()
  if (existsSync(path)) {
    const kept = Secrets.partial()
      .required({ jwt: true })
      .safeParse(parseOrUndefined(readFileSync(path, 'utf8')))
    if (!kept.success) throw new RefusesToBoot(`${path} is damaged; restore it, or remove it to end every session.`)
    // A file of an older version has fewer secrets: the missing ones are added.
    if (Object.keys(secrets).every((name) => name in kept.data)) return Secrets.parse(kept.data)
    Object.assign(secrets, kept.data)
  }
  const file = openSync(`${path}.new`, 'w', 0o600)
  writeSync(file, JSON.stringify(secrets))
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.new`, path)
  return secrets
}

/** The secrets of an installation with DATABASE_URL: in the database, where all nodes read the same. */
export async function sharedSecrets(sql: Database): Promise<Secrets> {
  for (const [name, value] of Object.entries(generate()))
    await sql`insert into secrets (name, value) values (${name}, ${value}) on conflict do nothing`
  const rows = await sql<{ name: string; value: string }[]>`select name, value from secrets`
  return Secrets.parse(Object.fromEntries(rows.map((row) => [row.name, row.value])))
}

/** An installation's name among others; it gives away nothing of the secrets. */
export const installationOf = ({ jwt }: Secrets): string =>
  createHmac('sha256', jwt).update('installation').digest('hex').slice(0, 12)

function parseOrUndefined(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

import { createHash, randomBytes } from 'node:crypto'
import type { Sql, Transaction } from '../../database/database.ts'
import { base32 } from './totp.ts'

const RECOVERY_CODES = 10
/** 80 bits: too many to search, even with a fast hash. */
const CODE_BYTES = 10

/** @param code without dashes, in lower case */
const hashOf = (user_id: number, code: string): Buffer => createHash('sha256').update(`${user_id} ${code}`).digest()

/** Replaces all recovery codes of the account. @returns the new codes, which are shown only this once */
export async function renewRecoveryCodes(sql: Transaction, user_id: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(CODE_BYTES)).toLowerCase())
  await sql`delete from recovery_codes where user_id = ${user_id}`
  await sql`insert into recovery_codes ${sql(codes.map((code) => ({ user_id, hash: hashOf(user_id, code) })))}`
  return codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-'))
}

/** Uses up a recovery code. @returns false if the account has no such code */
export async function takeRecoveryCode(sql: Sql, user_id: number, code: string): Promise<boolean> {
  const deletedRows = await sql`delete from recovery_codes
    where user_id = ${user_id} and hash = ${hashOf(user_id, code)} returning 1`
  return deletedRows.length > 0
}

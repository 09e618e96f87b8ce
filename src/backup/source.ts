import type { DatabaseAddress } from '../database/database.ts'
import type { Environment } from '../environment.ts'
import type { Source } from './dump.ts'
import { objectSource } from './objects.ts'

/** The parts of this environment's installation that a backup reads. */
export const sourceOf = async (environment: Environment, address: DatabaseAddress): Promise<Source> => ({
  address,
  secretsDirectory: environment.DATABASE_URL === undefined ? environment.DATA_DIR : undefined,
  objects: await objectSource(environment),
})

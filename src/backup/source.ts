import type { DatabaseAddress } from '../database/database.ts'
import type { Environment } from '../environment.ts'
import type { Source } from './dump.ts'
import { objectSource } from './objects.ts'

/** What a backup of the installation that the environment names is made of. */
export const sourceOf = async (environment: Environment, address: DatabaseAddress): Promise<Source> => ({
  address,
  secretsDirectory: environment.DATABASE_URL === undefined ? environment.DATA_DIR : undefined,
  objects: await objectSource(environment),
})

const DATABASE = 'parley'
const STORE = 'kept'
/** The worker's entry in `server-timing` for a page that it served without a network. */
export const KEPT_PAGE = 'kept'

/**
 * Data of an account in this browser: `account`, its id; `snapshot`, the state last shown; `script`, the path of the
 * script that wrote the snapshot; `shared`, a form posted by another program; `language`, the language of the pages;
 * `deviceKey`, `verified` and `deviceLogs`, this device's key for encrypted calls, whose devices the person has
 * verified, and the heads of the logs of accounts' devices.
 * A logout deletes everything. The worker reads these values too.
 */
type Key = 'account' | 'snapshot' | 'script' | 'shared' | 'language' | 'deviceKey' | 'verified' | 'deviceLogs'

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'))
  })

/** Opens the database for one step, so that it can be deleted at any moment. */
async function within<T>(mode: IDBTransactionMode, step: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await settled(opening)
  try {
    return await step(database.transaction(STORE, mode).objectStore(STORE))
  } finally {
    database.close()
  }
}

export const readKept = (key: Key): Promise<unknown> => within('readonly', (store) => settled(store.get(key)))
export const keep = (key: Key, value: unknown): Promise<unknown> =>
  within('readwrite', (store) => settled(store.put(value, key)))
export const dropKept = (key: Key): Promise<unknown> => within('readwrite', (store) => settled(store.delete(key)))

/** Stores the snapshot of an account, unless another one or none is logged in meanwhile. */
export const keepSnapshot = (userId: number, snapshot: { build: string }): Promise<void> =>
  within('readwrite', async (store) => {
    if ((await settled(store.get('account'))) !== userId) return
    await settled(store.put(snapshot, 'snapshot'))
    await settled(store.put(snapshot.build, 'script'))
  })

/** Stores the account, and deletes the data of another one. @returns true if there was another one */
export const keepAccount = (userId: number): Promise<boolean> =>
  within('readwrite', async (store) => {
    const former: unknown = await settled(store.get('account'))
    const isOther = former !== undefined && former !== userId
    if (isOther) await settled(store.clear())
    await settled(store.put(userId, 'account'))
    return isOther
  })

/** Deletes everything. */
export const forgetKept = (): Promise<unknown> => settled(indexedDB.deleteDatabase(DATABASE))

const DATABASE = 'parley'
const STORE = 'kept'

/**
 * What this browser keeps of an account: `account`, whose id it is; `snapshot`, what it last showed; `shared`, what
 * another program has handed over. Everything goes when the account leaves the browser. The worker reads it too.
 */
type Key = 'account' | 'snapshot' | 'shared'

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'))
  })

/** Opens the database for one step, so that it can be deleted at any moment. */
async function within<T>(mode: IDBTransactionMode, step: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await settled(opening)
  try {
    return await settled(step(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

export const readKept = (key: Key): Promise<unknown> => within('readonly', (store) => store.get(key))
export const keep = (key: Key, value: unknown): Promise<unknown> =>
  within('readwrite', (store) => store.put(value, key))
export const dropKept = (key: Key): Promise<unknown> => within('readwrite', (store) => store.delete(key))
/** Deletes everything. */
export const forgetKept = (): Promise<unknown> => settled(indexedDB.deleteDatabase(DATABASE))

import type { Page } from 'playwright-core'

/** The value under a key in the page's database, as JSON. */
export const storedValue = (page: Pick<Page, 'evaluate'>, key: string): Promise<string> =>
  page.evaluate(async (name) => {
    const opening = indexedDB.open('parley', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
    await new Promise((resolve) => (opening.onsuccess = resolve))
    const request = opening.result.transaction('kept').objectStore('kept').get(name)
    await new Promise((resolve) => (request.onsuccess = resolve))
    opening.result.close()
    return JSON.stringify(request.result ?? null)
  }, key)

let isLeft = false

/** True while the client itself leaves the page: the browser then asks for no confirmation. */
export const isPageLeft = (): boolean => isLeft

/** Leaves the page without a question about unsaved input. @param url of the next page */
export function leavePage(url: string): void {
  isLeft = true
  location.assign(url)
}

// The browser may show the page again as it was.
addEventListener('pageshow', () => (isLeft = false))

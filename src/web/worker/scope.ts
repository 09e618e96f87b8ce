// The parts of a service worker's scope that the worker uses. TypeScript loads either the page's globals or a worker's.

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface Opened {
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}

interface WorkerEvents {
  install: Extendable
  activate: Extendable
  fetch: Extendable & { request: Request; respondWith(answer: Promise<Response>): void }
  message: Extendable & { data: unknown; ports: readonly { postMessage(message: unknown): void }[] }
  push: Extendable & { data: { json(): unknown } | null }
  notificationclick: Extendable & { notification: Notification }
  pushsubscriptionchange: Extendable & {
    newSubscription?: PushSubscription | null
    oldSubscription?: PushSubscription | null
  }
}

interface WorkerScope {
  addEventListener<K extends keyof WorkerEvents>(type: K, listener: (event: WorkerEvents[K]) => void): void
  skipWaiting(): Promise<void>
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<Opened[]>
    openWindow(path: string): Promise<unknown>
  }
}

export const scope = globalThis as unknown as WorkerScope

import './pinned-client.test.ts'
import './open-calls.test.ts'
import './scanned-numbers.test.ts'

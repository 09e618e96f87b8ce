// The worker of a caller's page: the product's, with what counts its frames for a test that fails.

import './frame-counts.ts'
import '../../../src/web/voice/sealing/frame-worker.ts'

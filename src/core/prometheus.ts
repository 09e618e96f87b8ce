type Client = typeof import('prom-client')

// Imported one by one: the package's index also loads its push gateway and cluster aggregation, some 3 MB.
export const Counter: Client['Counter'] = require('prom-client/lib/counter.js')
export const Gauge: Client['Gauge'] = require('prom-client/lib/gauge.js')
export const Histogram: Client['Histogram'] = require('prom-client/lib/histogram.js')
export const Registry: Client['Registry'] = require('prom-client/lib/registry.js')
export type Registry = import('prom-client').Registry

FROM oven/bun:1.4.4-slim AS install
WORKDIR /parley
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
# The image works with an external PostgreSQL (compose.yaml) or the embedded one, as the user `bun`.
RUN bun install --frozen-lockfile --production

# The SFU's worker: mediasoup's prebuilt one, else one built here; and the Debian packages whose libraries it needs.
FROM install AS worker
COPY tsconfig.json ./
COPY docs/gateway.md docs/
COPY src src
RUN MEDIA_DIR=/worker bun src/commands.ts media && mv /worker/mediasoup-worker-* /worker/mediasoup-worker
RUN ldd /worker/mediasoup-worker | awk '$3 ~ /^\// {print $3}' | xargs -r -n1 readlink -f | xargs -r -n1 basename \
  | sed 's|^|*/|' | xargs -r dpkg -S | sed 's/:.*//' | sort -u > /worker/packages

FROM oven/bun:1.4.4-slim
WORKDIR /parley
RUN --mount=type=bind,from=worker,source=/worker,target=/worker \
  apt-get update && xargs apt-get install -y --no-install-recommends < /worker/packages && rm -rf /var/lib/apt/lists/*
COPY --from=worker /worker/mediasoup-worker /usr/local/bin/
COPY --from=install /parley/node_modules node_modules
COPY package.json tsconfig.json ./
COPY sql sql
# The server reads the description of its gateway from there.
COPY docs/gateway.md docs/
COPY src src
RUN bun src/cli/build.ts && mkdir /data && chown bun:bun /data
USER bun
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_ENV=production MEDIASOUP_WORKER_BIN=/usr/local/bin/mediasoup-worker
VOLUME /data
EXPOSE 3000 3478/tcp 3478/udp 5349/tcp 20000/tcp 20000/udp 20999/udp 21000-21999/udp
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["bun", "-e", "const { PORT, TLS_CERT } = process.env, url = `http${TLS_CERT ? 's' : ''}://127.0.0.1:${PORT}/healthz`; process.exit((await fetch(url, { tls: { rejectUnauthorized: false } })).ok ? 0 : 1)"]
CMD ["bun", "src/main.ts"]

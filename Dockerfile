# Two stages: the first builds the wheel (with the web client inside), the second only runs it.
FROM python:3.13-slim AS build
WORKDIR /build
RUN pip install --no-cache-dir uv
COPY . .
RUN uv build --wheel --out-dir /wheels

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 lampion
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[postgres]" && rm -r /wheels
USER lampion
ENV LAMPION_HOST=0.0.0.0 LAMPION_PORT=8000 LAMPION_LOG_FORMAT=json LAMPION_CACHE=/home/lampion/cache
VOLUME ["/home/lampion/cache", "/home/lampion/.local/share/lampion"]
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["lampion", "serve"]

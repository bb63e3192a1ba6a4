# The image of `steelyard serve` and `steelyard worker`: the wheel of this source tree, and compilers.
FROM python:3.13-slim AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev make git \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The versions of the lock file, so that an image can be built again.
RUN pip install --no-cache-dir uv \
    && uv build --wheel --out-dir /wheels \
    && uv export --locked --no-dev --no-emit-project --extra service --extra postgres --extra compare \
        --extra anthropic --extra openai \
        --output-file /wheels/requirements.txt

FROM python:3.13-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc g++ libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --requirement /wheels/requirements.txt \
    && pip install --no-cache-dir --no-deps /wheels/*.whl \
    && rm -rf /wheels \
    && useradd --create-home --uid 10001 judge
# An ordinary user: the kernel bounds its processes, and candidates do not share an id with root's files.
USER judge
WORKDIR /home/judge
EXPOSE 8080
ENTRYPOINT ["steelyard"]

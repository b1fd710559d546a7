import type { Problem } from "./operations.ts";

/** The API's answer is no: `problem.code` says why. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(readonly problem: Problem) {
    super(problem.code);
  }
}

/** No final answer: the network or the server was away for all attempts. A write may have been carried out. */
export class Unsettled extends Error {
  override readonly name = "Unsettled";
}

/** What the library takes from its surroundings, so that a test can give others. */
export interface Surroundings {
  fetch: typeof fetch;
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
  random(): number;
}

export const surroundings: Surroundings = {
  fetch: (input, init) => fetch(input, init),
  random: Math.random,
  sleep: (seconds, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, seconds * 1000);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    }),
};

const ATTEMPTS = 5; // with pauses of about 0.5, 1, 2 and 4 seconds between them
const PATIENCE = 10; // seconds: a longer Retry-After is not waited for
const ANSWER_WITHIN = 20_000; // milliseconds for one attempt
const AGAIN = [429, 500, 502, 503, 504];

/** Sends until there is a final answer of the API's own: repeated after lost answers and `AGAIN`, with growing pauses and
 * jitter. A page, such as that of a Wi-Fi's sign-in, is none. */
export async function settle(
  { fetch, sleep, random }: Surroundings,
  url: string,
  init: RequestInit,
  signal?: AbortSignal,
): Promise<Response> {
  for (let attempt = 1, pause = 0.5; ; attempt += 1, pause *= 2) {
    let wait = pause * (0.75 + random() / 2);
    try {
      const answer = await within(ANSWER_WITHIN, signal, (limit) => fetch(url, { ...init, signal: limit }));
      if (!AGAIN.includes(answer.status)) {
        if (isOurs(answer)) return answer;
        throw new Unsettled(`a page, status ${answer.status}`);
      }
      const retryAfter = Number(answer.headers.get("Retry-After") ?? 0);
      if (retryAfter > PATIENCE || attempt === ATTEMPTS) {
        if (answer.status === 429 && isOurs(answer)) return answer;
        throw new Unsettled(`status ${answer.status}`);
      }
      if (retryAfter) wait = retryAfter + random() / 2;
    } catch (fault) {
      if (signal?.aborted) throw signal.reason;
      if (fault instanceof Unsettled || attempt === ATTEMPTS) throw new Unsettled("no answer", { cause: fault });
    }
    await sleep(wait, signal);
  }
}

function isOurs({ status, headers }: Response): boolean {
  return status === 204 || status === 304 || /^application\/(problem\+)?json/.test(headers.get("Content-Type") ?? "");
}

/** Runs `task` with a signal that aborts with `outer`, or after so many milliseconds. */
async function within<T>(milliseconds: number, outer: AbortSignal | undefined, task: (signal: AbortSignal) => Promise<T>) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, milliseconds);
  outer?.addEventListener("abort", abort, { once: true });
  if (outer?.aborted) abort();
  try {
    return await task(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
  }
}

import { Refused, settle, surroundings, type Surroundings } from "./http.ts";
import { OPERATIONS, type Arguments, type OperationId, type Problem, type Result, type Schemas, type SignIn, type Tokens } from "./operations.ts";
import { MemoryStore, randomHex, Values, type KeyValueStore } from "./storage.ts";

export interface Options {
  /** The base of all paths, with the version: `https://…/v1`, or `/v1` on the API's own origin. */
  server: string;
  /** Kept between two starts: `localStorage`, or what the phone keeps secrets in. In memory unless given. */
  store?: KeyValueStore;
  surroundings?: Partial<Surroundings>;
  /** Called once when the API no longer knows this device. */
  onSignedOut?: () => void;
}

interface Call {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

const PUBLIC: ReadonlySet<OperationId> = new Set(["createPlayer", "createTokens"]);
const MOST_CACHED = 40;

/** One device's way to the API: every operation, typed; signed in for as long as its store is kept. */
export class Client {
  readonly values: Values;
  readonly surroundings: Surroundings;
  private refreshing: Promise<void> | undefined;
  private skew = 0; // milliseconds that this device's clock is behind the server's
  private readonly cache = new Map<string, { etag: string; answer: unknown }>();

  constructor(private readonly options: Options) {
    this.values = new Values(options.store ?? new MemoryStore());
    this.surroundings = { ...surroundings, ...options.surroundings };
  }

  /** The server's time, in milliseconds: count down to `deadline_at` with it. */
  now(): number {
    return Date.now() + this.skew;
  }

  async signedIn(): Promise<boolean> {
    return (await this.tokens()) !== undefined;
  }

  /** A new guest. The tokens are kept before this returns. */
  async signUp(profile: Schemas["NewGuest"] = {}): Promise<Schemas["Me"]> {
    return this.keep(await this.call("createPlayer", { body: profile }));
  }

  /** Signs in with a code from another device, or with the recovery code. A lost answer may be asked for again. */
  async signIn(type: "transfer" | "recovery", code: string, device_name?: string): Promise<Schemas["Me"]> {
    const { client_nonce } = await this.nonceFor(`${type} ${code}`);
    const player = await this.keep(await this.call("createTokens", { body: { type, code, client_nonce, ...(device_name && { device_name }) } }));
    await this.values.remove("nonce");
    return player;
  }

  /** Signs this device out, here and at the server. */
  async signOut(): Promise<void> {
    await this.call("deleteSession");
    await this.forget();
  }

  /** Calls an operation: its result, or `Refused` with the problem, or `Unsettled` if there was no final answer. */
  async call<Id extends OperationId>(id: Id, ...[given]: [given?: Arguments<Id>]): Promise<Result<Id>> {
    const call = (given ?? {}) as Call;
    if (PUBLIC.has(id)) return this.read(await this.send(id, call)) as Promise<Result<Id>>;
    const used = await this.tokens();
    let answer = await this.send(id, call, used?.access_token);
    if (answer.status === 401 && used !== undefined) {
      await this.refresh(used.refresh_token);
      answer = await this.send(id, call, (await this.tokens())?.access_token);
    }
    return this.read(answer, this.url(id, call)) as Promise<Result<Id>>;
  }

  private tokens(): Promise<Tokens | undefined> {
    return this.values.get<Tokens>("tokens");
  }

  private async keep({ player, tokens }: SignIn): Promise<Schemas["Me"]> {
    this.cache.clear();
    await this.values.set("tokens", tokens);
    return player;
  }

  private async forget(): Promise<void> {
    this.cache.clear();
    await this.values.remove("tokens");
    await this.values.remove("nonce");
  }

  /** One refresh at a time, in this program and across the tabs that share its store. */
  private refresh(used: string): Promise<void> {
    this.refreshing ??= exclusively("do-dooni.refresh", () => this.refreshNow(used)).finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async refreshNow(used: string): Promise<void> {
    const tokens = await this.tokens();
    if (tokens === undefined || tokens.refresh_token !== used) return; // another tab was first
    const { refresh_token } = tokens;
    const { client_nonce } = await this.nonceFor(refresh_token);
    try {
      await this.keep(await this.call("createTokens", { body: { type: "refresh", refresh_token, client_nonce } }));
      await this.values.remove("nonce");
    } catch (fault) {
      if (fault instanceof Refused && fault.problem.status === 401) {
        await this.forget();
        this.options.onSignedOut?.();
      }
      throw fault;
    }
  }

  /** The nonce of a sign-in, kept before it is sent: the same sign-in repeats it, after a restart too. */
  private async nonceFor(secret: string): Promise<{ client_nonce: string }> {
    const kept = await this.values.get<{ secret: string; client_nonce: string }>("nonce");
    if (kept?.secret === secret) return kept;
    const nonce = { secret, client_nonce: randomHex() };
    await this.values.set("nonce", nonce);
    return nonce;
  }

  private url(id: OperationId, { path = {}, query = {} }: Call): string {
    const template = OPERATIONS[id].split(" ")[1] as string;
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
    const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    return this.options.server + filled + (entries.length ? `?${new URLSearchParams(entries)}` : "");
  }

  private async send(id: OperationId, call: Call, token?: string): Promise<Response> {
    const method = OPERATIONS[id].split(" ")[0] as string;
    const url = this.url(id, call);
    const headers: Record<string, string> = { ...call.headers };
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    const cached = method === "GET" ? this.cache.get(url) : undefined;
    if (cached) headers["If-None-Match"] = cached.etag;
    const init: RequestInit = { method, headers, cache: "no-store" };
    if (call.body !== undefined) init.body = JSON.stringify(call.body);
    const answer = await settle(this.surroundings, url, init, call.signal);
    const date = Date.parse(answer.headers.get("Date") ?? "");
    if (!Number.isNaN(date)) this.skew = date - Date.now();
    return answer;
  }

  private async read(answer: Response, url?: string): Promise<unknown> {
    if (answer.status === 304 && url !== undefined) return this.cache.get(url)?.answer;
    if (answer.status === 204) return undefined;
    const content = (await answer.json().catch(() => ({}))) as unknown;
    if (!answer.ok) throw new Refused({ ...UNREADABLE, ...(content as Problem), status: answer.status });
    const etag = answer.headers.get("ETag");
    if (url !== undefined && etag !== null) this.remember(url, { etag, answer: content });
    return content;
  }

  private remember(url: string, entry: { etag: string; answer: unknown }): void {
    this.cache.delete(url);
    this.cache.set(url, entry);
    const oldest = this.cache.keys().next();
    if (this.cache.size > MOST_CACHED && !oldest.done) this.cache.delete(oldest.value);
  }
}

/** For an error that is not the API's own, such as a proxy's page. */
const UNREADABLE = { type: "about:blank", title: "", detail: "", code: "unknown", params: {}, request_id: "" };

/** Runs `task` alone among all tabs of this origin; where there are no tabs, just runs it. */
async function exclusively<T>(name: string, task: () => Promise<T>): Promise<T> {
  const locks = (globalThis as { navigator?: Navigator }).navigator?.locks;
  return locks ? ((await locks.request(name, task)) as T) : task();
}

import type { operations, components } from "./schema.d.ts";

export type Schemas = components["schemas"];
export type Card = Schemas["Card"];
export type Event = Schemas["Event"];
export type Hint = Schemas["Hint"];
export type MatchUpdate = Schemas["MatchUpdate"];
export type MatchView = Schemas["MatchView"];
export type DealRecord = Schemas["DealRecord"];
export type Move = Schemas["Move"];
export type Problem = Schemas["Problem"];
export type SeatName = Schemas["SeatName"];
export type SignIn = Schemas["SignIn"];
export type Suit = Schemas["Suit"];
export type Tokens = Schemas["Tokens"];

/** Operations for developers, which no app calls. */
type Internal = "getHealth" | "getOpenapi" | "getDocs";
export type OperationId = Exclude<keyof operations, Internal>;

/** Where each operation is. */
export const OPERATIONS = {
  createPlayer: "POST /players",
  createTokens: "POST /tokens",
  getMe: "GET /me",
  updateMe: "PATCH /me",
  deleteMe: "DELETE /me",
  exportMe: "GET /me/export",
  createTransferCode: "POST /me/transfer-codes",
  createRecoveryCode: "POST /me/recovery-code",
  listSessions: "GET /me/sessions",
  deleteOtherSessions: "DELETE /me/sessions",
  deleteSessionById: "DELETE /me/sessions/{session_id}",
  deleteSession: "DELETE /me/session",
  listTurns: "GET /me/turns",
  createMatch: "POST /matches",
  listMatches: "GET /matches",
  getMatch: "GET /matches/{match_id}",
  getInvite: "GET /invites/{code}",
  takeSeat: "PUT /matches/{match_id}/seats/{seat}",
  leaveSeat: "DELETE /matches/{match_id}/seats/{seat}",
  startMatch: "POST /matches/{match_id}/start",
  makeMove: "PUT /matches/{match_id}/moves/{move_number}",
  getHint: "GET /matches/{match_id}/hint",
  listEvents: "GET /matches/{match_id}/events",
  getDeal: "GET /matches/{match_id}/deals/{deal_number}",
  createRematch: "POST /matches/{match_id}/rematch",
  createSet: "POST /sets",
  getDailySet: "GET /sets/daily",
  getSet: "GET /sets/{set_id}",
  enterSet: "PUT /sets/{set_id}/entry",
  listSetResults: "GET /sets/{set_id}/results",
} as const satisfies Record<OperationId, string>;

type Content<T> = T extends { content: { "application/json": infer Body } } ? Body : undefined;
type Answers<Id extends OperationId> = operations[Id]["responses"];
type Success = 200 | 201 | 204;

/** What a successful call gives; nothing for 204. */
export type Result<Id extends OperationId> = Content<Answers<Id>[Success & keyof Answers<Id>]>;

type Parameters<Id extends OperationId> = operations[Id]["parameters"];
type Filled<T> = { [Name in keyof T]-?: NonNullable<T[Name]> };
type Given<T> = [T] extends [never] ? unknown : T;
type Required<T, Name extends string> = T extends undefined ? unknown : { [Key in Name]: T };

/** What a call takes: `path`, `query`, `headers` and `body`, as far as the operation has them. */
export type Arguments<Id extends OperationId> = Given<
  Required<Parameters<Id>["path"], "path"> & {
    query?: Parameters<Id>["query"];
    headers?: Filled<Omit<NonNullable<Parameters<Id>["header"]>, "If-None-Match">>;
    body?: Content<NonNullable<operations[Id]["requestBody"]>>;
    signal?: AbortSignal;
  }
>;

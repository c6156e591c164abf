// Requests to the server that the page came from. A token, where one is asked for, is kept until the tab is closed.
const KEY = "rosenblatt-token";
const PATIENCE = 15_000; // milliseconds, after which a request is given up, so that the page goes on

export class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

export function keepToken(token) {
  sessionStorage.setItem(KEY, token);
}

function sentence({ error, place }) {
  return error && place && !error.startsWith(place) ? `${place}: ${error}` : error;
}

async function ask(method, path, body) {
  const headers = {};
  const token = sessionStorage.getItem(KEY);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(path, { method, headers, body: sent, signal, cache: "no-store" });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(sentence(said) ?? `status ${answer.status}`, answer.status);
  return said;
}

const of = (name, verb = "") => `/v1/models/${encodeURIComponent(name)}${verb}`;

// Random, so that a retry of the browser is not counted twice. randomUUID would need https.
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const models = () => ask("GET", "/v1/models");
export const create = (name, kind, parameters) => ask("PUT", of(name), { kind, parameters });
export const curve = (name) => ask("GET", of(name, "/curve?points=300"));
// A token that is only for predictions may not read the log.
export const lastRounds = (name) =>
  ask("GET", of(name, "/log?last=12")).then(
    (said) => said.examples,
    (error) => (error.status === 403 ? [] : Promise.reject(error))
  );

export async function predict(name, x) {
  const said = await ask("POST", of(name, "/predict"), { rows: [x] });
  return { ...said.predictions[0], version: said.version };
}

export async function learn(name, x, y) {
  return (await ask("POST", of(name, "/learn"), { examples: [{ id: newId(), x, y }] })).examples[0];
}

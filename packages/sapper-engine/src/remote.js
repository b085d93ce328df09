/**
 * The engine in a worker: `loadWorker` creates it.
 */

import { asError, METHODS, SapperError } from "./shared.js";

/** The time that a cancelled call has to stop, in milliseconds. */
const GRACE_MS = 200;

/** Not a literal, so that bundlers for browsers leave it alone. @type {string} */
const NODE = "node:worker_threads";

/** @typedef {typeof METHODS[number]} Method */
/** @typedef {{postMessage: (message: unknown) => void, terminate: () => void, busy: (is: boolean) => void}} Thread */
/** @typedef {(onMessage: (message: any) => void, onError: (problem: unknown) => void) => Thread} Begin */

/**
 * @typedef {object} Job
 * @property {unknown} message
 * @property {(value: any) => void} resolve
 * @property {(problem: SapperError) => void} reject
 */

/** Starts a module worker of browsers or of Node. @returns {Promise<Begin>} */
export async function threads(/** @type {URL} */ url) {
  if (typeof Worker === "function") {
    return (onMessage, onError) => {
      const worker = new Worker(url, { type: "module" });
      worker.onmessage = (event) => onMessage(event.data);
      worker.onerror = (event) => onError(event.message);
      return {
        postMessage: (message) => worker.postMessage(message),
        terminate: () => worker.terminate(),
        busy: () => {},
      };
    };
  }
  const node = await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE);
  return (onMessage, onError) => {
    // Omit the options of this process, such as --input-type, which workers do not accept.
    const worker = new node.Worker(url, { execArgv: [] });
    worker.on("message", onMessage);
    worker.on("error", onError);
    // A worker without a call does not keep the process alive.
    worker.unref();
    return {
      postMessage: (message) => worker.postMessage(message),
      terminate: () => void worker.terminate(),
      busy: (is) => (is ? worker.ref() : worker.unref()),
    };
  };
}

export class WorkerEngine {
  #begin;
  #setup;
  /** @type {Thread | null} */
  #thread = null;
  /** @type {Job | null} */
  #running = null;
  /** @type {Job[]} */
  #waiting = [];
  /** @type {Int32Array | null} */
  #flag = null;
  #ended = false;

  /**
   * @param {Begin} begin
   * @param {object} setup The first message to a worker.
   */
  constructor(begin, setup) {
    this.#begin = begin;
    this.#setup = setup;
  }

  /** End the worker; calls without an answer are rejected. */
  terminate() {
    this.#ended = true;
    this.#drop(new SapperError("cancelled", "the worker was ended"));
    for (const job of this.#waiting.splice(0)) {
      job.reject(new SapperError("cancelled", "the worker was ended"));
    }
  }

  /**
   * Call a method in the worker.
   *
   * @param {Method} method
   * @param {unknown[]} values
   * @returns {Promise<any>}
   */
  call(method, values) {
    const { signal, sent } = withoutSignal(values);
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(new SapperError("cancelled", "the worker was ended"));
        return;
      }
      if (signal?.aborted) {
        reject(cancelled(signal));
        return;
      }
      const stop = () => {
        reject(cancelled(/** @type {AbortSignal} */ (signal)));
        this.#cancel(job);
      };
      const settled = () => signal?.removeEventListener("abort", stop);
      /** @type {Job} */
      const job = {
        message: { method, values: sent },
        resolve: (value) => (settled(), resolve(value)),
        reject: (problem) => (settled(), reject(problem)),
      };
      signal?.addEventListener("abort", stop);
      this.#waiting.push(job);
      this.#next();
    });
  }

  #next() {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (!job) return;
    this.#running = job;
    try {
      this.#thread ??= this.#started();
      if (this.#flag) Atomics.store(this.#flag, 0, 0);
      this.#thread.busy(true);
      this.#thread.postMessage(job.message);
    } catch (problem) {
      // The arguments cannot be copied to a worker.
      const message = problem instanceof Error ? problem.message : String(problem);
      this.#finish(() => job.reject(new SapperError("wrong_type", `expected plain values: ${message}`)));
    }
  }

  #started() {
    const memory = typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(4) : null;
    this.#flag = memory && new Int32Array(memory);
    const thread = this.#begin(
      (answer) => this.#answered(thread, answer),
      (problem) => {
        if (thread !== this.#thread) return;
        this.#drop(new SapperError("error", `the worker failed: ${problem}`));
        this.#next();
      },
    );
    thread.postMessage({ ...this.#setup, flag: memory });
    return thread;
  }

  /**
   * @param {Thread} thread
   * @param {{value?: unknown, error?: Parameters<typeof asError>[0]}} answer
   */
  #answered(thread, { value, error }) {
    if (thread !== this.#thread) return;
    const job = this.#running;
    this.#finish(() => (error ? job?.reject(asError(error)) : job?.resolve(value)));
  }

  #finish(/** @type {() => void} */ settle) {
    this.#thread?.busy(false);
    this.#running = null;
    settle();
    this.#next();
  }

  /** Stop a call whose promise has been rejected. */
  #cancel(/** @type {Job} */ job) {
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (job !== this.#running) return;
    if (this.#flag) Atomics.store(this.#flag, 0, 1);
    const thread = this.#thread;
    setTimeout(() => {
      if (job !== this.#running || thread !== this.#thread) return;
      this.#drop();
      this.#next();
    }, GRACE_MS);
  }

  /** End the worker; the next call starts a new one. */
  #drop(/** @type {SapperError | undefined} */ problem = undefined) {
    this.#thread?.terminate();
    this.#thread = null;
    const job = this.#running;
    this.#running = null;
    if (problem) job?.reject(problem);
  }
}

for (const method of METHODS) {
  Object.defineProperty(WorkerEngine.prototype, method, {
    value(/** @type {unknown[]} */ ...values) {
      return this.call(method, values);
    },
  });
}

/** Return the arguments without the signal in the options, which cannot be sent. */
function withoutSignal(/** @type {unknown[]} */ values) {
  const last = values[values.length - 1];
  if (values.length < 2 || typeof last !== "object" || last === null || !("signal" in last)) {
    return { signal: undefined, sent: values };
  }
  const { signal, ...rest } = /** @type {{signal?: unknown}} */ (last);
  const given = signal instanceof AbortSignal ? signal : undefined;
  return { signal: given, sent: [...values.slice(0, -1), rest] };
}

function cancelled(/** @type {AbortSignal} */ signal) {
  return new SapperError("cancelled", "the call was cancelled", { cause: signal.reason });
}

// What can be undone: the states that decided a run, one after the other. How a run is looked at (its visit, its lines) is
// no step of its own.

import { decides } from "./state.js";

/** @typedef {import("./types").State} State */

const MOST = 200; // steps back

export function newHistory() {
  /** @type {State[]} */
  const past = [];
  /** @type {State[]} */
  const future = [];
  /** @type {State | null} */
  let now = null;
  const turn = (/** @type {State[]} */ from, /** @type {State[]} */ to) => {
    const state = from.pop();
    if (!state || !now) return null;
    to.push(now);
    now = state;
    return state;
  };
  return {
    /** Notes the state as it is; true if another run was decided since the last time. @param {State} state */
    note(state) {
      const step = now !== null && decides(now) !== decides(state);
      if (step && now) {
        past.push(now);
        if (past.length > MOST) past.shift();
        future.length = 0;
      }
      now = state;
      return step;
    },
    undo: () => turn(past, future),
    redo: () => turn(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}

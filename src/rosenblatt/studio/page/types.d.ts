// The types that the modules share. Checked by tsc, not shipped in the one-file page.
export type Num = number | string; // text where it is exact, "1/17"
export type VNode = { tag: string; props: Record<string, any>; children: (VNode | string)[] };
export type Child = VNode | string | number | boolean | null | undefined | Child[];

export type Readout = "last" | "average" | "vote" | "pocket";
export type Scale = "none" | "centre" | "standard" | "unit";

/** What decides the run: the names and values that Python and the core have. */
export type Conventions = {
  tie: "mistake" | "positive" | "negative";
  fit_intercept: boolean;
  intercept_scaling: number;
  init: number[] | null;
  first_row: number;
  order: "listed" | "shuffled" | "first wrong" | "worst wrong";
  seed: number;
  eta0: number;
  margin: number | null;
  step: "perceptron" | "pa" | "pa1" | "pa2" | "arow";
  C: number;
  r: number;
  multiclass: "argmax" | "one-vs-rest";
  max_iter: number;
  kernel: "linear" | "poly" | "rbf";
  gamma: number;
  coef0: number;
  degree: number;
};

/** All that a link carries. A point is x1, x2 and the number of its class. */
export type State = Conventions & {
  preset: string;
  points: number[][];
  labels: string[];
  readout: Readout;
  scale: Scale;
  visit: number;
  show: string[];
  big: boolean;
  contrast: boolean;
  hide: boolean;
};

export type Preset = {
  id: string;
  name: string;
  group: string;
  source?: string;
  task?: string;
  state: Partial<State>;
  expect?: Record<string, any>;
};

/** Columns, one entry a visit, as the core fills them. */
export type Frames = {
  visits: number;
  machines: number;
  width: number;
  pass: ArrayLike<number>;
  row: ArrayLike<number>;
  score: ArrayLike<Num>;
  mistake: ArrayLike<number>;
  why: ArrayLike<number>;
  start: ArrayLike<Num>;
  after: ArrayLike<Num>;
  average: ArrayLike<Num> | null;
  pocket: ArrayLike<Num> | null;
  pocket_errors: ArrayLike<number> | null;
  norm: ArrayLike<Num>;
  k: ArrayLike<number>;
  mistakes: ArrayLike<number>;
  converged: boolean;
  alpha: ArrayLike<Num> | null;
};

export type Certificate = {
  separable: boolean | null;
  gamma: Num;
  radius: Num;
  bound: Num;
  direction: ArrayLike<Num>;
  lambda: ArrayLike<Num>;
  widest?: ArrayLike<Num> | null;
  width_of_widest?: Num | null;
};

export type Request = Conventions & {
  x: Float64Array;
  y: Int32Array;
  features: number;
  classes: number;
  max_visits: number;
};

export type Core = {
  trace(request: Request): Frames;
  certify(request: {
    x: Float64Array;
    y: Int32Array;
    features: number;
    fit_intercept: boolean;
    intercept_scaling: number;
  }): Certificate;
  vote(request: {
    w: Float64Array;
    votes: Int32Array;
    tie: Conventions["tie"];
    at: Float64Array;
    features: number;
    bias: number;
  }): Float64Array;
  kernel_score(request: {
    x: Float64Array;
    y: Int32Array;
    alpha: Float64Array;
    features: number;
    kernel: Conventions["kernel"];
    gamma: number;
    coef0: number;
    degree: number;
    at: Float64Array;
  }): Float64Array;
};

/** A run as the panels see it, whether the core has just made it or Python has recorded it. */
export type Run = {
  frames: Frames;
  points: Num[][]; // as they are learned from: scaled, each with its class at the end
  features: number;
  certificate: Certificate | null;
  raw: Certificate | null; // of the points before scaling
  live: boolean;
  error: string;
  title: string;
  conventions: string;
  ending: string;
  checked: { visit: number; column: string; expected: string; found: string }[];
};

export type Box = { x0: number; x1: number; y0: number; y1: number; width: number; height: number };

/** Where the studio lives: a page or a notebook. */
export type Host = {
  /** Called with the hash whenever the state changes. */
  changed(hash: string): void;
  /** The address of the page, to which the hash is added; "" where there is none. */
  address(): string;
  /** The text of the one-file page without state, or "" where it cannot be had. */
  page(): string;
  /** Where keys are listened to. */
  keys: Document | HTMLElement;
};

/** What every panel gets. */
export type App = {
  root: HTMLElement;
  core: Core;
  host: Host;
  presets: Preset[];
  state: State;
  run: Run;
  box: Box;
  ui: Ui;
  set(change: Partial<State>): void;
  move(points: number[][], live?: boolean): void;
  go(visit: number): void;
  draw(): void;
  choose(id: string): void;
  say(text: string): void;
};

/** What the page remembers and a link does not carry. */
export type Ui = {
  tool: number; // -1: move; otherwise the class that a tap adds
  held: number; // the point that is being dragged, or -1
  at: number; // the point that has the plot's tab stop
  tween: number; // how far the line has turned, 0 to 1
  from: number; // the visit it turns from
  playing: number; // a timer, or 0
  speed: number; // visits a second
  panel: "" | "points" | "take" | "class" | "keys";
  output: { title: string; text: string } | null;
  said: string;
  revealed: number; // the visit whose answer is shown though answers are hidden
  quiz: Quiz | null;
  sheet: Sheet | null;
  paste: string;
  error: string;
  printing: boolean;
  keys: boolean;
};

export type Quiz = { asked: number; right: number; mistake: string; weights: string[]; result: string[]; checked: boolean };
export type Sheet = { rows: number; cells: Record<string, string>; marks: Record<string, boolean | null>; checked: boolean };

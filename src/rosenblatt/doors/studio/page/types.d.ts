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
  order: "listed" | "shuffled" | "first-wrong" | "worst-wrong";
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
  lang: string; // "" for the browser's
};

export type Preset = {
  id: string;
  name: string;
  group: string;
  source?: string;
  task?: string;
  in?: Record<string, { name: string; task: string }>; // other languages than English
  state: Partial<State>;
  expect?: Record<string, any>;
};

/** Columns as the core fills them (core.js says what they are); `weights`, `norm`, `errors`, `alpha` by update number. */
export type Frames = {
  visits: number;
  pass: ArrayLike<number>;
  row: ArrayLike<number>;
  score: ArrayLike<Num>;
  mistake: ArrayLike<number>;
  why: ArrayLike<number>;
  k: ArrayLike<number>;
  weights: ArrayLike<Num>;
  spread: ArrayLike<number> | null; // variances, as `weights`, with AROW
  norm: ArrayLike<Num>;
  errors: ArrayLike<number> | null;
  average: ArrayLike<Num> | null;
  pocket: ArrayLike<number> | null;
  alpha: ArrayLike<Num> | null;
  mistakes: ArrayLike<number>;
  converged: boolean;
};

export type Certificate = {
  separable: boolean | null;
  gamma: Num;
  radius: Num;
  bound: Num;
  direction: ArrayLike<Num>; // of length 1, the constant feature first
  lambda: ArrayLike<Num>; // those over 0 support the margin, or prove that no line separates
};

/** A run as the panels see it, whether the core has just made it or Python has recorded it. */
export type Run = {
  frames: Frames;
  points: Num[][]; // as they are learned from: scaled, each with its class at the end
  features: number;
  machines: number; // rows of weights: one for two classes, else one a class
  constant: boolean; // whether the weights begin with the constant feature's
  certificate: Certificate | null;
  raw: Certificate | null; // of the points before scaling
  live: boolean;
  error: string;
  title: string;
  conventions: string;
  ending: string;
  answers: { columns: string[]; rows: string[][]; cells: boolean[][]; message: string } | null; // a checked table
};

export type Box = { x0: number; x1: number; y0: number; y1: number; width: number; height: number };

/** Where the studio lives: a page or a notebook. */
export type Host = {
  /** Called with the hash whenever the state changes; `step`: it decides another run, which can be undone. */
  changed(hash: string, step: boolean): void;
  /** The address of the page, to which the hash is added; "" where there is none. */
  address(): string;
  /** The text of the one-file page without state, or "" where it cannot be had. */
  page(): string;
  /** Whether the page is part of another: then it has the plot, the sum and the player alone. */
  embedded: boolean;
  /** Where keys are listened to. */
  keys: Document | HTMLElement;
};

/** What every panel gets. */
export type App = {
  root: HTMLElement;
  core: import("./core.js").Core;
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
  /** Shows this part of the plane; null: all points, and these places too. */
  look(box: Box | null, also?: number[]): void;
  undo(): void;
  redo(): void;
  canUndo(): boolean;
  canRedo(): boolean;
  choose(id: string): void;
  say(text: string): void;
};

/** What the page remembers and a link does not carry. */
export type Ui = {
  tool: number; // -1: move; -2: remove; otherwise the class that a tap adds
  zoomed: boolean; // the view was chosen: it stays
  held: number; // the point that is being dragged, or -1
  at: number; // the point that has the plot's tab stop
  tween: number; // how far the line has turned, 0 to 1
  from: number; // the visit it turns from
  playing: number; // a timer, or 0
  speed: number; // visits a second
  panel: "" | "points" | "take" | "class";
  output: { title: string; text: string; note: string } | null;
  said: string;
  revealed: number; // the visit whose answer is shown though answers are hidden
  quiz: Quiz | null;
  sheet: Sheet | null;
  paste: string;
  error: string;
  printing: boolean;
  keys: boolean;
};

export type Quiz = {
  asked: number;
  right: number;
  mistake: string;
  weights: string[];
  result: string[];
  checked: number; // the visit that has been answered, or 0
};
export type Sheet = {
  rows: number;
  cells: Record<string, string>;
  marks: Record<string, boolean | null>;
  checked: boolean;
};

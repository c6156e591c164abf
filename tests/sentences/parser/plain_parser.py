"""The parser in plain Python: configurations, oracle, greedy and beam, as the core has them, without its speed.

Lists and dicts only, a rule a line. Tests compare the core with it: trees, mistakes, weights, ties included.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from rosenblatt.members.sentences.parser.templates import Piece, Template

Action = tuple[str, str]  # a move and a label, "" if it makes no arc
Weights = dict[Any, Any]
MASK = 2**64 - 1


def mix(z: int) -> int:
    """The finaliser of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def explorer(seed: int, number: int, exploration: float) -> Callable[[], bool]:
    """Draws whether to explore, in the pass of this number."""
    state = mix((mix(seed ^ 0x6578706C6F7265) + number) & MASK)

    def draw() -> bool:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & MASK
        return mix(state) >> 11 < int(exploration * 2**53)

    return draw


class Configuration:
    """Stack, buffer, and what was made: heads, labels, the children of each side in the order of their coming."""

    def __init__(self, n: int) -> None:
        self.stack, self.buffer = [0], list(range(1, n + 1))
        self.head: dict[int, int] = {}
        self.label: dict[int, str] = {}
        self.children: dict[str, dict[int, list[int]]] = {"l": defaultdict(list), "r": defaultdict(list)}

    def copy(self) -> "Configuration":
        """Another one like it."""
        other = Configuration(0)
        other.stack, other.buffer = [*self.stack], [*self.buffer]
        other.head, other.label = {**self.head}, {**self.label}
        for side in "lr":
            for node, of in self.children[side].items():
                other.children[side][node] = [*of]
        return other

    def done(self) -> bool:
        """Whether nothing is left to do."""
        return not self.buffer and self.stack == [0]

    def allows(self, move: str) -> bool:
        """Whether it can be made."""
        stack, buffer = self.stack, self.buffer
        return {
            "shift": bool(buffer),
            "left": bool(buffer) and len(stack) > 1,
            "right": len(stack) > 2,
            "root": not buffer and len(stack) == 2,
            "swap": bool(buffer) and len(stack) > 1 and stack[-1] < buffer[0],
        }[move]

    def make(self, action: Action) -> None:
        """Make it."""
        move, label = action
        if move == "shift":
            self.stack.append(self.buffer.pop(0))
            return
        top = self.stack.pop()
        if move == "swap":
            self.buffer.insert(1, top)
            return
        head = self.buffer[0] if move == "left" else self.stack[-1]
        self.head[top], self.label[top] = head, label
        self.children["l" if move == "left" else "r"][head].append(top)


def projective_order(head: list[int]) -> list[int]:
    """The nodes as they are read with each head between its left and right dependents. head[0] is not looked at."""

    def read(node: int) -> list[int]:
        below = [d for d in range(1, len(head)) if head[d] == node]
        left = [k for d in below if d < node for k in read(d)]
        return [*left, node, *(k for d in below if d > node for k in read(d))]

    return read(0)


def costs(c: Configuration, head: list[int]) -> dict[str, int]:
    """What each allowed move costs in right arcs, by looking through stack and buffer."""
    order = projective_order(head)

    def due(a: int, b: int) -> bool:
        return a < b and order.index(a) > order.index(b)

    allowed = [move for move in ("shift", "left", "right", "root", "swap") if c.allows(move)]
    s, t = c.stack[-1], c.stack[-2] if len(c.stack) > 1 else None
    b = c.buffer[0] if c.buffer else -1
    if "swap" in allowed and due(s, b):
        return {move: int(move != "swap") for move in allowed}
    found = {}
    for move in allowed:
        cost = 1 if move == "swap" else 0
        if move in ("left", "right"):
            back = any(due(s, k) for k in c.buffer)
            cost += sum(head[d] == s for d in c.buffer) + (sum(head[d] == s for d in c.stack[1:-1]) if back else 0)
            reachable = {*c.buffer, *(c.stack[:-1] if back else [t])} - {b if move == "left" else t}
            cost += head[s] in reachable
        if move == "shift" and not any(due(b, k) for k in c.buffer[1:]):
            cost += sum(head[d] == b for d in c.stack[1:]) + (head[b] in c.stack[:-1])
        found[move] = cost
    return found


def node_at(c: Configuration, place: str) -> int | None:
    """The node of a place such as s0, b1, s0.l2; None if there is none."""
    base, _, child = place.partition(".")
    nodes = [*reversed(c.stack)] if base[0] == "s" else c.buffer
    if int(base[1:]) >= len(nodes):
        return None
    node = nodes[int(base[1:])]
    if not child:
        return node
    of = c.children[child[0]][node]
    number = 2 if child.endswith("2") else 1
    return of[-number] if len(of) >= number else None


def shown(piece: Piece, c: Configuration, x: Sequence[tuple[str, ...]]) -> Any:
    """What a piece shows."""
    node = node_at(c, piece.place)
    if piece.shown == "gap":
        other = node_at(c, piece.second)
        far = 0 if node is None or other is None else abs(node - other)
        return far if far < 5 else 5 if far < 8 else 6 if far < 12 else 7
    if piece.shown == "label":
        return None if node is None else c.label.get(node)
    if piece.shown in ("lefts", "rights"):
        return 0 if node is None else min(len(c.children[piece.shown[0]][node]), 7)
    if piece.shown in ("leftlabels", "rightlabels"):
        return () if node is None else tuple(sorted(c.label[d] for d in c.children[piece.shown[0]][node]))
    if node is None or node == 0:
        return ("none",) if node is None else ("root",)
    text = x[node - 1][piece.column]
    return {"x": text, "lower": text.lower(), "suffix": text[-piece.length :] if len(text) >= piece.length else ""}[
        piece.shown
    ]


def attributes(templates: list[Template], c: Configuration, x: Sequence[tuple[str, ...]]) -> list[Any]:
    """What the templates make of a configuration."""
    return [(k, *(shown(piece, c, x) for piece in template)) for k, template in enumerate(templates)]


class Parser:
    """Weights by (attribute, action), and their sums, in the order of a treebank's labels."""

    def __init__(self, templates: list[Template], arcs: list[str], root: list[str]) -> None:
        self.templates = templates
        self.actions: list[Action] = [("shift", ""), *(("left", a) for a in arcs), *(("right", a) for a in arcs)]
        self.actions += [*(("root", r) for r in root), ("swap", "")]
        self.w: Weights = defaultdict(int)
        self.sums: Weights = defaultdict(int)
        self.visits = 0

    def allowed(self, c: Configuration) -> list[Action]:
        """In the order that decides ties."""
        return [action for action in self.actions if c.allows(action[0])]

    def scores(self, w: Weights, c: Configuration, x: Any) -> dict[Action, int]:
        """Of what is allowed; nothing is scored where there is nothing to decide."""
        allowed = self.allowed(c)
        found = attributes(self.templates, c, x) if len(allowed) > 1 else []
        return {action: sum(w.get((f, action), 0) for f in found) for action in allowed}

    def add(self, c: Configuration, x: Any, action: Action, change: int) -> None:
        """To the weights, and to their sums."""
        if len(self.allowed(c)) > 1:
            for f in attributes(self.templates, c, x):
                self.w[f, action] += change
                self.sums[f, action] += self.visits * change

    def answers(self, readout: str) -> Weights:
        """The weights that answer, as integers."""
        if readout == "last" or not self.visits:
            return self.w
        return {key: self.visits * w - self.sums[key] for key, w in self.w.items()}

    def parse(self, x: Any, readout: str, beam: int = 1) -> tuple[list[int], list[str]]:
        """The heads and labels of a sentence."""
        w, c = self.answers(readout), Configuration(len(x))
        if beam > 1:
            c = self.ways(w, x, beam)[-1][0][1]
        while not c.done():
            scores = self.scores(w, c, x)
            c.make(max(scores, key=lambda action: scores[action]))
        return [c.head[k] for k in range(1, len(x) + 1)], [c.label[k] for k in range(1, len(x) + 1)]

    def ways(self, w: Weights, x: Any, beam: int) -> list[list[tuple[int, Configuration, list[Action]]]]:
        """After each step the ways that are kept, best first."""
        steps = [[(0, Configuration(len(x)), list[Action]())]]
        while not all(c.done() for _, c, _ in steps[-1]):
            candidates = []
            for score, c, made in steps[-1]:
                if c.done():
                    candidates.append((score, c, made))
                for action, more in [] if c.done() else self.scores(w, c, x).items():
                    after = c.copy()
                    after.make(action)
                    candidates.append((score + more, after, [*made, action]))
            steps.append(sorted(candidates, key=lambda one: -one[0])[:beam])  # a stable sort: the first wins a tie
        return steps

    def learn(self, x: Any, head: list[int], label: list[str], explores: Callable[[], bool]) -> int:
        """One visit of a sentence; the mistakes. Heads and labels have an entry for the root."""
        c, mistakes = Configuration(len(x)), 0
        while not c.done():
            scores = self.scores(self.w, c, x)
            if len(scores) == 1:
                c.make(next(iter(scores)))
                continue
            found = max(scores, key=lambda action: scores[action])
            cost = costs(c, head)
            right = [a for a in scores if cost[a[0]] == min(cost.values()) and self.is_right(c, a, head, label)]
            best = max(right, key=lambda action: scores[action])
            if found != best:
                self.add(c, x, best, 1)
                self.add(c, x, found, -1)
                mistakes += 1
            self.visits += 1
            c.make(found if explores() else best)
        return mistakes

    def is_right(self, c: Configuration, action: Action, head: list[int], label: list[str]) -> bool:
        """An arc of the tree must have its label; any other may have any."""
        move, of = action
        if move in ("shift", "swap"):
            return True
        s = c.stack[-1]
        return head[s] != (c.buffer[0] if move == "left" else c.stack[-2]) or of == label[s]

    def right_way(self, x: Any, head: list[int], label: list[str]) -> list[Action]:
        """A swap where it is due, an arc as soon as it can be, else shift."""
        c, way = Configuration(len(x)), list[Action]()
        while not c.done():
            cost, action = costs(c, head), ("shift", "")
            if cost.get("swap") == 0:
                action = ("swap", "")
            else:
                for move in ("root", "right", "left"):
                    to = c.buffer[0] if move == "left" and c.buffer else c.stack[-2] if len(c.stack) > 1 else None
                    if cost.get(move) == 0 and head[c.stack[-1]] == to:
                        action = (move, label[c.stack[-1]])
            way.append(action)
            c.make(action)
        return way

    def search(self, x: Any, head: list[int], label: list[str], beam: int) -> int:
        """One visit with a beam: max-violation, the longest prefix of equal ones."""
        right = self.right_way(x, head, label)
        totals, c = [0], Configuration(len(x))
        for action in right:
            totals.append(totals[-1] + self.scores(self.w, c, x)[action])
            c.make(action)
        steps = self.ways(self.w, x, beam)
        if mistaken := steps[-1][0][2] != right:
            most, wrong, length = 0, list[Action](), 0
            for k, ways in enumerate(steps[1:], start=1):
                score, _, made = ways[0]
                here = min(k, len(right))
                if score - totals[here] >= most and made != right[:here]:
                    most, wrong, length = score - totals[here], made, here
            for way, change in ((right[:length], 1), (wrong, -1)):
                c = Configuration(len(x))
                for action in way:
                    self.add(c, x, action, change)
                    c.make(action)
        self.visits += 1
        return int(mistaken)

"""Pictures of models, runs and theorems: one call each, on the axes that you give or on the current ones.

- `boundary`: what a model says where: its line, its + side, w, the margin, the mistakes
- `steps`: a run as small multiples; `animate`: the same as a GIF, the line turning
- `squeeze`: k gamma <= |w| <= sqrt(k) R, the proof of the mistake bound, over the updates of a run
- `losses`: the losses of the lectures; `mistakes`: mistakes of each pass
- `comparison`: the errors of members and steps that `compare` has found
"""

from rosenblatt.services.lessons.plot.animate import Animation, animate
from rosenblatt.services.lessons.plot.boundary import boundary
from rosenblatt.services.lessons.plot.curves import comparison, losses, mistakes, squeeze
from rosenblatt.services.lessons.plot.steps import steps

__all__ = ["Animation", "animate", "boundary", "comparison", "losses", "mistakes", "squeeze", "steps"]

"""How the numbers of a proof are told to people: mistakes as a whole number, a margin by six digits, never too good."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

LARGEST = 10**15  # a larger whole number is not written out


def fraction_text(value: Fraction) -> str:
    """A fraction as it is, or about, if it is long.

    >>> fraction_text(Fraction(1, 17)), fraction_text(Fraction(10**30))
    ('1/17', 'about 1.00000E+30')
    """
    if max(abs(value.numerator), value.denominator) < 1 << 64:
        return str(value)
    return f"about {Context(prec=6).divide(Decimal(value.numerator), Decimal(value.denominator))}"


def six_digits(value: Fraction) -> str:
    """A fraction by its first digits.

    >>> six_digits(Fraction(1, 3)), six_digits(Fraction(10**400))
    ('0.333333', 'about 1.00000E+400')
    """
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return fraction_text(value)


def at_most(bound: Fraction | float) -> str:
    """How many mistakes a bound allows: they are whole.

    >>> at_most(Fraction(7843, 625)), at_most(51.0), at_most(1e300), at_most(math.inf)
    ('at most 12 mistakes', 'at most 51 mistakes', 'at most 1.00001e+300 mistakes', 'any number of mistakes')
    """
    if bound == math.inf:
        return "any number of mistakes"
    most = math.floor(bound)
    if most >= LARGEST:
        context = Context(prec=6, rounding=ROUND_CEILING, Emax=10**9, capitals=0)
        return f"at most {context.to_sci_string(context.create_decimal(most))} mistakes"
    return f"at most {most} mistake{'s' * (most != 1)}"


def enclosure(lo: float, hi: float) -> str:
    """What two ends say of gamma; a rounded end is no better than the end itself.

    >>> enclosure(0.24253562503633294, 0.24253562503633302), enclosure(0.25, 1 / 3), enclosure(0, 1 / 3)
    ('gamma = 0.242536', '0.25 <= gamma <= 0.333334', 'gamma <= 0.333334')
    >>> enclosure(1 / 3, math.inf)
    '0.333333 <= gamma'
    """
    if lo == hi or f"{lo:.6g}" == f"{hi:.6g}":
        return f"gamma = {lo:.6g}"
    low, high = _round(lo, ROUND_FLOOR), _round(hi, ROUND_CEILING)
    known = [*([low] if lo > 0 else []), "gamma", *([high] if hi < math.inf else [])]
    return " <= ".join(known) if len(known) > 1 else "gamma is not known"


def _round(value: float, rounding: str) -> str:
    return f"{float(Context(prec=6, rounding=rounding).create_decimal(repr(float(value)))):.6g}"

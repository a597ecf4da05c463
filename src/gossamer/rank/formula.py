"""Formulas that users write to boost and rank: 'bm25 + 0.3 * log(1 + votes)'.

    numbers       1  .5  1e-3
    names         letters, digits, '_' and '.', not beginning with a digit: fields and features
    arithmetic    +  -  *  /  ** or ^ (both bind to the right, and closer than a minus before them)
    comparisons   <  <=  >  >=  ==  !=   give 1 or 0
    logic         and  or  not           give 1 or 0; everything but 0 is true
    functions     log (natural)  log10  log2  exp  sqrt  abs  min  max  clip(x, low, high)
                  if(condition, then, else)

Every formula has a finite value for every page, so that a page that lacks something keeps a place
in the order: a value that is missing (NaN, or a name without values) counts as 0; what divides by
zero is 0; a logarithm of zero or less is 0, and so are a root of less than zero and a power that is
no real number; what grows beyond `LARGEST` stops there.

A formula is a short program for a stack of arrays: nothing is handed to Python to evaluate, and no
depth of brackets reaches Python's own.
"""

import difflib
import re
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from typing import NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.errors import FormulaError

LARGEST = 1e300
MOST_CHARACTERS = 4_000
MOST_NESTED = 50
MOST_DEPTH = 200
"""Of the tree; each term of a sum is one level."""

Array: TypeAlias = NDArray[np.float64]

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_.]*)"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^<>(),])"
)
_SPACE = re.compile(r"\s*")

# How close an operator binds; 'not' and the minus before a value have their own.
_BINDING = {
    "or": 1,
    "and": 2,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), 4),
    **dict.fromkeys(("+", "-"), 5),
    **dict.fromkeys(("*", "/"), 6),
    **dict.fromkeys(("**", "^"), 8),
}
_NOT, _COMPARISON, _MINUS, _POWER = 3, 4, 7, 8
_WORDS = frozenset({"and", "or", "not"})


def _finite(values: Array) -> Array:
    # Where the sum of the squares is not too large, nothing is: the quickest way to see it. A NaN
    # is not less than anything.
    if (np.vdot(values, values) if values.ndim else abs(values)) <= LARGEST:
        return values
    result: Array = np.clip(np.where(np.isnan(values), 0.0, values), -LARGEST, LARGEST)
    return result


def _sum(left: Array, right: Array) -> Array:
    """What brings nothing to any page is not worth a loop over all."""
    if not right.ndim and not right:
        return left
    return _finite(left + right) if left.ndim or left else right


def _divided(left: Array, right: Array) -> Array:
    if not right.ndim and right:
        return _finite(left / right)
    return _finite(np.where(right == 0.0, 0.0, left / np.where(right == 0.0, 1.0, right)))


def _power(base: Array, exponent: Array) -> Array:
    undefined = (base == 0.0) & (exponent < 0.0)
    return _finite(np.where(undefined, 0.0, np.power(np.where(undefined, 1.0, base), exponent)))


def _of_positive(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    def apply(values: Array) -> Array:
        if not values.ndim and values > 0.0:
            return function(values)
        return np.where(values > 0.0, function(np.where(values > 0.0, values, 1.0)), 0.0)

    return apply


def _chosen(condition: Array, then: Array, otherwise: Array) -> Array:
    return np.where(condition != 0.0, then, otherwise)


def _truth(values: NDArray[np.bool_]) -> Array:
    return values.astype(np.float64)


_OPERATIONS: dict[str, Callable[..., Array]] = {
    "+": _sum,
    "-": lambda left, right: _finite(left - right),
    "*": lambda left, right: _finite(left * right),
    "/": _divided,
    "**": _power,
    "^": _power,
    "<": lambda left, right: _truth(left < right),
    "<=": lambda left, right: _truth(left <= right),
    ">": lambda left, right: _truth(left > right),
    ">=": lambda left, right: _truth(left >= right),
    "==": lambda left, right: _truth(left == right),
    "!=": lambda left, right: _truth(left != right),
    "and": lambda left, right: _truth((left != 0.0) & (right != 0.0)),
    "or": lambda left, right: _truth((left != 0.0) | (right != 0.0)),
    "not": lambda value: _truth(value == 0.0),
    "minus": np.negative,
    "log": _of_positive(np.log),
    "log10": _of_positive(np.log10),
    "log2": _of_positive(np.log2),
    "exp": lambda value: _finite(np.exp(value)),
    "sqrt": _of_positive(np.sqrt),
    "abs": np.abs,
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "clip": lambda value, low, high: np.minimum(np.maximum(value, low), high),
    "if": _chosen,
}

# The fewest and the most values that a function takes.
_FUNCTIONS = {
    **dict.fromkeys(("log", "log10", "log2", "exp", "sqrt", "abs"), (1, 1)),
    **dict.fromkeys(("min", "max"), (1, 99)),
    **dict.fromkeys(("clip", "if"), (3, 3)),
}


def _same(values: Array) -> Array:
    """What is the same for all pages as a number, which is quicker to reckon with than an array."""
    found: Array = values[()]
    return found


_ZERO = _same(np.asarray(0.0))


class FormulaPart(NamedTuple):
    """One part of a formula as it was written, its value, and the parts that it is made of."""

    text: str
    value: float
    parts: tuple["FormulaPart", ...]


class _Step(NamedTuple):
    """Puts a number or the values of a name on the stack, or makes one of the topmost values."""

    text: str
    name: str = ""
    number: Array = _ZERO
    operation: Callable[..., Array] | None = None
    taken: int = 0  # values that the operation makes one of


class Formula:
    """Made by `parse`. Equal if the text is."""

    def __init__(self, text: str, steps: tuple[_Step, ...]) -> None:
        self.text = text
        self._steps = steps
        self.names = frozenset(step.name for step in steps if step.name)
        """The variables that the value depends on."""

    @classmethod
    def parse(cls, text: str, known_names: Collection[str] | None = None) -> "Formula":
        """Raises `FormulaError`, which shows the place. Any name is fine if none are given."""
        return cls(text, _Parser(text, known_names).parse())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def evaluate(self, variables: Mapping[str, ArrayLike]) -> Array:
        """The values, all of them finite, in the shape that the variables have together."""
        given = {name: _values(variables.get(name)) for name in self.names}
        stack: list[Array] = []
        with np.errstate(all="ignore"):
            for step in self._steps:
                _run(step, given, stack)
        shapes = {np.shape(values) for values in variables.values()}
        if shapes <= {(), stack[0].shape}:
            return np.array(stack[0])
        return np.array(np.broadcast_to(stack[0], np.broadcast_shapes(stack[0].shape, *shapes)))

    def explain(self, values: Mapping[str, float]) -> FormulaPart:
        """The value for one page, opened into the values of all that it is made of."""
        given = {name: _values(values.get(name)) for name in self.names}
        stack: list[Array] = []
        parts: list[FormulaPart] = []
        with np.errstate(all="ignore"):
            for step in self._steps:
                _run(step, given, stack)
                first = len(parts) - step.taken
                below = tuple(parts[first:])
                del parts[first:]
                parts.append(FormulaPart(step.text, float(stack[-1]), below))
        return parts[0]


def _run(step: _Step, given: Mapping[str, Array], stack: list[Array]) -> None:
    operation = step.operation
    if operation is None:
        stack.append(given[step.name] if step.name else step.number)
    elif step.taken == 2:
        right = stack.pop()
        stack[-1] = _same(operation(stack[-1], right))
    else:
        first = len(stack) - step.taken
        stack[first:] = [_same(operation(*stack[first:]))]


def _values(given: ArrayLike | None) -> Array:
    return _same(_finite(np.asarray(0.0 if given is None else given, np.float64)))


class _Span(NamedTuple):
    """Where a part stands in the text, brackets included, and how deep its tree is."""

    start: int
    end: int
    depth: int


class _Parser:
    def __init__(self, text: str, known_names: Collection[str] | None) -> None:
        self._text = text
        self._known = known_names
        self._place = 0
        self._nested = 0
        self._steps: list[_Step] = []
        self._kind = ""  # of the piece at hand: number, name, sign or '' at the end
        self._piece = ""
        self._start = 0  # of the piece
        self._last_end = 0  # of the piece before it

    def parse(self) -> tuple[_Step, ...]:
        if len(self._text) > MOST_CHARACTERS:
            raise FormulaError(f"A formula has at most {MOST_CHARACTERS} characters.")
        self._advance()
        if not self._kind:
            self._fail("The formula is empty", 0)
        self._expression(0)
        if self._kind:
            self._fail(self._surprise(), self._start)
        return tuple(self._steps)

    def _advance(self) -> None:
        self._last_end = self._place
        space = _SPACE.match(self._text, self._place)
        assert space is not None
        self._start = space.end()
        found = _TOKEN.match(self._text, self._start)
        if found is None:
            if self._start < len(self._text):
                self._fail(self._nonsense(), self._start)
            self._kind = self._piece = ""
            return
        self._kind, self._piece = found.lastgroup or "", found[0]
        self._place = found.end()

    def _nonsense(self) -> str:
        character = self._text[self._start]
        hint = {"=": ": to compare is '=='", "&": ": it is 'and'", "|": ": it is 'or'"}
        return f"{character!r} has no meaning here{hint.get(character, '')}"

    def _surprise(self) -> str:
        if self._piece == ")":
            return "')' closes nothing"
        if self._piece == ",":
            return "',' stands outside of a function"
        return f"An operator is missing before '{self._piece}'"

    def _expression(self, least: int) -> _Span:
        """Reads what binds at least as close as `least`."""
        self._nested += 1
        if self._nested > MOST_NESTED:
            self._fail("The formula is nested too deep", self._start)
        left = self._operand()
        while self._piece in _BINDING and (binding := _BINDING[self._piece]) >= least:
            operator, place = self._piece, self._start
            self._advance()
            right = self._expression(binding if binding == _POWER else binding + 1)
            if binding == _COMPARISON and _BINDING.get(self._piece) == _COMPARISON:
                self._fail("Comparisons are joined by 'and'", self._start)
            left = self._operation(operator, [left, right], place)
        self._nested -= 1
        return left

    def _operand(self) -> _Span:
        start, piece = self._start, self._piece
        if self._kind == "number":
            return self._number()
        if self._kind == "name" and piece not in _WORDS:
            return self._name()
        if piece == "(":
            self._advance()
            below = self._expression(0)
            self._close(start)
            return _Span(start, self._last_end, below.depth)
        if piece == "not":
            self._advance()
            return self._operation("not", [self._expression(_NOT)], start, begins=start)
        if piece in ("-", "+"):
            self._advance()
            below = self._expression(_MINUS)
            if piece == "+":
                return below._replace(start=start)
            return self._operation("minus", [below], start, begins=start)
        return self._fail("A value is missing", start)

    def _number(self) -> _Span:
        number = float(self._piece)
        if number > LARGEST:
            self._fail("The number is too large", self._start)
        return self._value(_Step(self._piece, number=_same(np.asarray(number))))

    def _value(self, step: _Step) -> _Span:
        start = self._start
        self._advance()
        self._steps.append(step)
        return _Span(start, self._last_end, 1)

    def _name(self) -> _Span:
        name, start = self._piece, self._start
        following = _SPACE.match(self._text, self._place)
        assert following is not None
        if not self._text.startswith("(", following.end()):
            if name in _FUNCTIONS and name not in (self._known or ()):
                self._fail(f"'{name}' is a function and needs brackets: {name}(...)", start)
            if self._known is not None and name not in self._known:
                nearest = _nearest(name, self._known)
                self._fail(f"'{name}' is unknown{nearest}", start)
            return self._value(_Step(name, name=name))
        if name not in _FUNCTIONS:
            self._fail(f"There is no function '{name}'{_nearest(name, _FUNCTIONS)}", start)
        self._advance()
        return self._call(name, start)

    def _call(self, name: str, start: int) -> _Span:
        opening = self._start
        self._advance()
        given: list[_Span] = []
        if self._piece != ")":
            given.append(self._expression(0))
            while self._piece == ",":
                self._advance()
                given.append(self._expression(0))
        self._close(opening)
        fewest, most = _FUNCTIONS[name]
        if not fewest <= len(given) <= most:
            wanted = f"{fewest} value{'s' * (fewest > 1)}" if fewest == most else "1 to 99 values"
            self._fail(f"{name} takes {wanted}, not {len(given)}", start)
        return self._operation(name, given, start, begins=start)

    def _close(self, opening: int) -> None:
        if self._piece == ")":
            self._advance()
        elif self._kind and self._piece != ",":
            self._fail(self._surprise(), self._start)
        elif self._kind:
            self._fail("',' stands outside of a function", self._start)
        else:
            self._fail("'(' is never closed", opening)

    def _operation(
        self, name: str, spans: list[_Span], place: int, *, begins: int | None = None
    ) -> _Span:
        start = spans[0].start if begins is None else begins
        depth = 1 + max(span.depth for span in spans)
        if depth > MOST_DEPTH:
            self._fail("The formula has too many parts", place)
        text = " ".join(self._text[start : self._last_end].split())
        self._steps.append(_Step(text, operation=_OPERATIONS[name], taken=len(spans)))
        return _Span(start, self._last_end, depth)

    def _fail(self, message: str, place: int) -> NoReturn:
        raise FormulaError(f"{message} (character {place + 1}).\n{_pointed_at(self._text, place)}")


def _nearest(name: str, known: Collection[str]) -> str:
    found = difflib.get_close_matches(name[:100], [str(one) for one in known], 1)
    if found:
        return f". Did you mean '{found[0]}'?"
    names = sorted(set(known))
    some = ", ".join(names[:10])
    return f"; known are {some}{', ...' * (len(names) > 10)}" if some else ""


def _pointed_at(text: str, place: int) -> str:
    """The line of the text, or as much of it as can be shown, and a mark below the place."""
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    line = text[start : len(text) if end < 0 else end]
    column = place - start
    first = max(0, column - 60)
    shown = "".join(one if one.isprintable() else " " for one in line[first : column + 20])
    return f"    {shown}\n    {' ' * (column - first)}^"

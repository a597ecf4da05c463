"""The few functions of Arrow that a crawl needs, without those that it does not.

`pyarrow.compute` writes a Python function, with its documentation, for each of hundreds of kernels
when it is imported: a fifth of the start of a crawl. The kernels are there without it.
"""

from typing import Any

import pyarrow as pa
from pyarrow._compute import SetLookupOptions, call_function


def greater(values: Any, limit: Any) -> Any:
    return call_function("greater", [values, limit])


def add(values: Any, summand: Any) -> Any:
    return call_function("add", [values, summand])


def if_else(condition: Any, yes: Any, no: Any) -> Any:
    return call_function("if_else", [condition, yes, no])


def invert(mask: Any) -> Any:
    return call_function("invert", [mask])


def is_in(values: Any, value_set: Any) -> Any:
    return call_function("is_in", [values], SetLookupOptions(value_set))


def repeated_until(values: Any, ends: Any) -> Any:
    """Each value as often as it takes to fill the rows up to its end."""
    return call_function("run_end_decode", [pa.RunEndEncodedArray.from_arrays(ends, values)])

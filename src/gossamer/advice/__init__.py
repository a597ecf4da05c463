"""What should the owner of a run do?

report.py   what the statistics of a run suggest, at its end
causes.py   what each outcome and each exclusion means, and what to do about it
"""

from gossamer.advice.causes import EXCLUSIONS, FINE, OUTCOMES, Cause, cause_of, status_remedy
from gossamer.advice.report import advice, failed_pages

__all__ = [
    "EXCLUSIONS",
    "FINE",
    "OUTCOMES",
    "Cause",
    "advice",
    "cause_of",
    "failed_pages",
    "status_remedy",
]

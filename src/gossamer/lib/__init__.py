"""Building blocks that know nothing of the web: hashes, filters, locks."""

"""Pages from elsewhere: WARC files become a run, as if their pages had just been fetched.

Comes in: WARC files that anybody wrote. Goes out: the segments of a run, and its statistics. Each
record goes through the same reader of answers and the same page processors as a crawled page. Not
for following links: an imported run is what lies in its files.

    archives    what lies in a WARC file, and where
    exchanges   from a record to the exchange that a fetch would have given
    survey      which URLs a part of a file holds
    tasks       what the conductor and the workers say to each other
    ledger      what an import knows, on disk
    order       who does what next
    worker      surveys parts, and makes pages of records
    conductor   gives out the work, commits, publishes
    sittings    what a person can ask for: begin an import, go on with it
"""

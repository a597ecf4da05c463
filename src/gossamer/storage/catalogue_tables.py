"""The tables of the catalogue. Times are seconds since 1970; 0 means 'not yet'."""

import sqlalchemy as sa

CATALOGUE_VERSION = 2
"""1 had the runs alone: the other tables are added where they are missing."""

metadata = sa.MetaData()

meta = sa.Table(
    "meta",
    metadata,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("value", sa.String, nullable=False),
)

# Runs

crawler = sa.Table(
    "crawler",
    metadata,
    sa.Column("name", sa.String, primary_key=True),
    # Kept apart from the runs: the number of a deleted run is never given to another.
    sa.Column("last_number", sa.Integer, nullable=False),
)

run = sa.Table(
    "run",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("name", sa.String, nullable=False, unique=True),
    sa.Column("crawler", sa.String, nullable=False, index=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("state", sa.String, nullable=False),
    sa.Column("seeds", sa.Text, nullable=False),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("statistics", sa.Text, nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("started_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double, nullable=False),
    sa.Column("updated_at", sa.Double, nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)

job = sa.Table(
    "job",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("subject", sa.String, nullable=False),  # the crawler or the index
    sa.Column("arguments", sa.Text, nullable=False),
    sa.Column("started_by", sa.String, nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double, nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    # With the pid it names one process for good: numbers of processes are given again.
    sa.Column("pid_started", sa.BigInteger, nullable=False),
    sa.Column("exit_code", sa.Integer, nullable=True),
    sa.Column("result", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)

# Access

account = sa.Table(
    "account",
    metadata,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("password", sa.String, nullable=False),  # argon2's own text; '' until it is set
    sa.Column("created_at", sa.Double, nullable=False),
)

session = sa.Table(
    "session",
    metadata,
    sa.Column("digest", sa.String, primary_key=True),
    sa.Column("account", sa.String, nullable=False, index=True),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("expires_at", sa.Double, nullable=False),
)

token = sa.Table(
    "token",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("digest", sa.String, nullable=False, unique=True),
    sa.Column("account", sa.String, nullable=False, index=True),
    sa.Column("label", sa.String, nullable=False),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("used_at", sa.Double, nullable=False),
    sqlite_autoincrement=True,
)

invitation = sa.Table(
    "invitation",
    metadata,
    sa.Column("digest", sa.String, primary_key=True),
    sa.Column("account", sa.String, nullable=False),
    sa.Column("expires_at", sa.Double, nullable=False),
)

attempt = sa.Table(
    "attempt",
    metadata,
    # 'account NAME' or 'address DIGEST': failed logins since the last good one.
    sa.Column("subject", sa.String, primary_key=True),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("last_at", sa.Double, nullable=False),
)

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.Double, nullable=False, index=True),
    sa.Column("account", sa.String, nullable=False),
    sa.Column("action", sa.String, nullable=False),
    sa.Column("subject", sa.String, nullable=False),
    sa.Column("details", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)

# What was searched for, never by whom

query = sa.Table(
    "query",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Double, nullable=False, index=True),
    sa.Column("index_name", sa.String, nullable=False),
    sa.Column("text", sa.Text, nullable=False, index=True),
    sa.Column("total", sa.BigInteger, nullable=False),
    sa.Column("took_ms", sa.Double, nullable=False),
    sa.Column("clicks", sa.Integer, nullable=True),  # null where they were not counted
)

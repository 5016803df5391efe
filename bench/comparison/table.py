"""Tables in Markdown."""
import datetime


def markdown(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def seconds(value):
    """So many digits as mean something."""
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def ratio(value):
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def today():
    return datetime.date.today()


def day(date):
    return f"{date.day} {date:%B %Y}"

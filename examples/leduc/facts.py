"""What Leduc poker says about itself to the programs around it (see `core.facts`)."""

from lampion.core.facts import TO_THE_END, Facts

FACTS = Facts(
    search={
        "exploration": 0.5,
        "root_width": 1e6,
        "cutoff": TO_THE_END,
        "margin_share": 1.0,
        "margin_scale": 26.0,
    }
)

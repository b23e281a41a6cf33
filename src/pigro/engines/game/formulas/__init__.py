"""Parts given by formulas, as decision diagrams: see `pigro.model.lazy.formulas`."""

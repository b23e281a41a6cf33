"""Whether a composition refines another, for people and for programs."""

from pigro.render.simulation.document import RefinementData, simulation_json
from pigro.render.simulation.text import simulation_text

__all__ = ["RefinementData", "simulation_json", "simulation_text"]

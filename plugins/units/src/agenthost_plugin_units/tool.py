"""The tool that models see: convert a quantity, and list units."""

from __future__ import annotations

from agenthost_plugin_units import examples
from agenthost_plugin_units.conversion import convert
from agenthost_plugin_units.units import units_of
from agenthost_sdk import BaseTool, activity


class Units(BaseTool):
    """Convert quantities between units: lengths, weights, temperatures, volumes and others."""

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.CONVERT,
    )
    def convert(self, value: float, from_unit: str, to_unit: str) -> str:
        """Convert a quantity from one unit to another.

        Use it for lengths, weights, temperatures, volumes, areas, speeds, times, data sizes,
        energy, power, pressure and angles.

        Args:
            value: How much there is, in the first unit.
            from_unit: The unit of the value, by name or symbol: km, mile, kg, pound, celsius,
                litre, gallon, hour, byte, km/h, square foot …
            to_unit: The unit to convert to, written likewise.
        """
        return convert(value, from_unit, to_unit)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.LIST,
    )
    def list(self, quantity: str) -> str:
        """List the units known for a quantity, such as length or mass.

        Args:
            quantity: What is measured: length, mass, temperature, volume, area, speed, time,
                data, data rate, energy, power, pressure, force, angle, frequency …
        """
        name, units = units_of(quantity)
        return f"Units of {name}: {units}."

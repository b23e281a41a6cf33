"""The former name of `pigro.engines.dubslaff2024`, which stays for one release."""

from pigro.lazy_names import renamed_module

__getattr__ = renamed_module("pigro.engines.contexts", "pigro.engines.dubslaff2024")

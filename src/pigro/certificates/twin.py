"""The former name of `pigro.certificates.native_checker`, which stays for one release."""

from pigro.lazy_names import renamed_module

__getattr__ = renamed_module("pigro.certificates.twin", "pigro.certificates.native_checker")

"""Models, modules, programs and files that many tests take."""
